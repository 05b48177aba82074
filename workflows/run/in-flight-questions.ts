/** The questions of a run that are being asked, whichever history has begun them. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WIDEST_OF_ONE_PARENT } from '../../core/provider-batches.js';
import type { RunSpec } from '../../core/run/input.js';
import type { Ending } from '../../core/run/run.js';
import type { Ended } from '../activities/run.js';
import { awaitEnded } from './activities.js';
import { endingByFailure, endingByResult } from './ending.js';
import type { WaitingQuestion } from './held-back.js';
import { childId, childOf } from './question-child.js';

/** A question that has begun. */
export interface InFlightQuestion extends WaitingQuestion {
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** Told of each question that ended; it counts as under way until that resolves. */
export type OnEnd = (asked: InFlightQuestion, ending: Ending) => Promise<void>;

/** The questions of a run that have begun and not ended. */
export interface QuestionWindow {
  readonly size: number;
  /** How many there may be. */
  readonly widest: number;
  begin(spec: RunSpec, question: WaitingQuestion): void;
  /** Resolves once the server has every one that was begun, so that the next history finds it. */
  started(): Promise<void>;
  /** @throws what must end the run, if something must. */
  throwFault(): void;
  /** Whether there is a fault, or not as many are under way as there were. */
  hasChanged(size: number): boolean;
  /** Cancels them all and resolves once they have ended. */
  cancel(): Promise<void>;
}

/** Each is a child of this workflow, or was of one before it. */
export class InFlightQuestions implements QuestionWindow {
  readonly widest = WIDEST_OF_ONE_PARENT;
  /** By workflow id. */
  private readonly asked = new Map<string, InFlightQuestion>();
  /** Ids of those that this history is not the parent of: it has to look how they end. */
  private readonly foreign = new Set<string>();
  /** Those that were cancelled with the run. */
  private readonly stopped = new Map<string, InFlightQuestion>();
  private readonly scope = new CancellationScope();
  private look: CancellationScope | undefined;
  private starting = 0;
  private fault: unknown;

  /**
   * @param carried Begun by an earlier history.
   * @param run Workflow id of the run that they belong to.
   */
  constructor(
    carried: readonly InFlightQuestion[],
    private readonly onEnd: OnEnd,
    private readonly run = workflowInfo().workflowId,
  ) {
    for (const asked of carried) this.adopt(asked);
  }

  get size(): number {
    return this.asked.size;
  }

  /** All of them, for the next history. */
  get all(): InFlightQuestion[] {
    return [...this.asked.values()];
  }

  begin(spec: RunSpec, question: WaitingQuestion): void {
    const asked = { ...question, startedAt: Date.now() };
    this.asked.set(this.idOf(asked), asked);
    this.background(async () => {
      const ending = await this.ask(spec, asked);
      if (ending) await this.end(this.idOf(asked), ending);
      else this.adopt(asked);
    });
  }

  async started(): Promise<void> {
    await condition(() => this.starting === 0);
  }

  get hasFault(): boolean {
    return this.fault !== undefined;
  }

  throwFault(): void {
    if (this.fault !== undefined) throw this.fault;
  }

  hasChanged(size: number): boolean {
    return this.asked.size !== size || this.fault !== undefined;
  }

  async cancel(): Promise<void> {
    this.scope.cancel();
    // Until then one of them can turn out to be foreign.
    await this.started();
    // One that cannot be cancelled has ended already.
    await Promise.allSettled([...this.foreign].map((id) => getExternalWorkflowHandle(id).cancel()));
    while (this.foreign.size > 0) await this.endAll(await awaitEnded([...this.foreign]));
    await condition(() => this.asked.size === 0);
    if (this.stopped.size > 0) await this.tellStopped();
  }

  /** What they took is told by their workflows, which have ended. */
  private async tellStopped(): Promise<void> {
    for (const { workflowId, ending } of await awaitEnded([...this.stopped.keys()])) {
      const asked = this.stopped.get(workflowId);
      if (asked) await this.onEnd(asked, { ...ending, stopped: true });
    }
  }

  /** How it ended; undefined where an earlier history has left it under way. */
  private async ask(spec: RunSpec, asked: InFlightQuestion): Promise<Ending | undefined> {
    try {
      const child = await this.start(spec, asked);
      return endingByResult(await child.result());
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
      if (error instanceof ChildWorkflowFailure) return endingByFailure(error.cause);
      if (isCancellation(error)) return endingByFailure(error as Error);
      throw error;
    }
  }

  private async start(spec: RunSpec, asked: InFlightQuestion) {
    this.starting++;
    try {
      return await startChild(...childOf(this.run, spec, asked));
    } finally {
      this.starting--;
    }
  }

  private adopt(asked: InFlightQuestion): void {
    this.asked.set(this.idOf(asked), asked);
    this.foreign.add(this.idOf(asked));
    if (this.look) this.look.cancel();
    else this.background(() => this.lookAfterForeign());
  }

  private idOf(asked: InFlightQuestion): string {
    return childId(this.run, asked);
  }

  private async lookAfterForeign(): Promise<void> {
    this.look = new CancellationScope();
    // A run that is started again finds many of them at once.
    await this.started();
    while (this.foreign.size > 0 && !this.scope.consideredCancelled) {
      this.look = new CancellationScope();
      const ended = await this.look.run(() => awaitEnded([...this.foreign])).catch(noneIfCancelled);
      await this.endAll(ended);
    }
    this.look = undefined;
  }

  private async endAll(ended: readonly Ended[]): Promise<void> {
    await Promise.all(ended.map(({ workflowId, ending }) => this.end(workflowId, ending)));
  }

  private async end(id: string, ending: Ending): Promise<void> {
    const asked = this.asked.get(id);
    if (!asked) return;
    this.foreign.delete(id);
    try {
      // Of a run that is cancelled no more failures are recorded: it has made them itself.
      const isCutOff = ending.failure !== undefined && this.scope.consideredCancelled;
      if (isCutOff) this.stopped.set(id, asked);
      else await this.onEnd(asked, ending);
    } finally {
      this.asked.delete(id);
    }
  }

  /** Does work beside the run; what it throws ends the run, unless that is ending already. */
  private background(work: () => Promise<void>): void {
    this.scope.run(work).catch((error: unknown) => {
      if (!this.scope.consideredCancelled) this.fault ??= error;
    });
  }
}

/** The look is over since there are more to look after, or since the run ends. */
function noneIfCancelled(error: unknown): Ended[] {
  if (isCancellation(error)) return [];
  throw error;
}
