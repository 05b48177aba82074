import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowFailure,
  type ChildWorkflowHandle,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  startChild,
  type Workflow,
} from '@temporalio/workflow';
import type { RunSpec } from '../../core/run/input.js';
import type { Ending } from '../../core/run/run.js';
import { ifCancelled } from '../failures.js';
import { awaitEnded } from './activities.js';
import type { CarriedWindow } from './carried.js';
import { endingByFailure, endingByResult } from './ending.js';
import type { WaitingQuestion } from './held-back.js';
import type { Child } from './question-child.js';

/**
 * The questions of a run that have begun and not ended.
 *
 * Temporal tells a history how its own children ended. What an earlier history has begun, or an
 * earlier start of the run, is foreign: an activity looks how it ended. So it does for what is
 * cancelled with the run, whose failure does not tell what it took.
 */
export abstract class QuestionWindow {
  /** Workflow ids. */
  private readonly own = new Set<string>();
  private readonly foreign = new Set<string>();
  private readonly scope = new CancellationScope();
  private look: CancellationScope | undefined;
  private starting = 0;
  /** Endings that are being recorded or counted. */
  protected settling = 0;
  private fault: unknown;

  abstract readonly size: number;
  /** How many there may be. */
  abstract readonly widest: number;
  abstract begin(spec: RunSpec, question: WaitingQuestion): void;
  /** What the next history is told of them; nothing is missing once `started` has resolved. */
  abstract readonly carried: CarriedWindow;
  /** The run ends. */
  async close(): Promise<void> {}
  /** Told of each workflow that ended. */
  protected abstract ended(id: string, ending: Ending): Promise<void>;

  get hasFault(): boolean {
    return this.fault !== undefined;
  }

  /** @throws what must end the run, if something must. */
  throwFault(): void {
    if (this.hasFault) throw this.fault;
  }

  /** Resolves once the server has every one that was begun, so that the next history finds it. */
  async started(): Promise<void> {
    await condition(() => this.starting === 0);
  }

  /** Cancels them all and resolves once they have ended. */
  async cancel(): Promise<void> {
    this.scope.cancel();
    // A start can show that a workflow is foreign.
    await this.started();
    // One that cannot be cancelled has ended already.
    await Promise.allSettled([...this.foreign].map((id) => getExternalWorkflowHandle(id).cancel()));
    await condition(() => this.own.size === 0);
    while (this.foreign.size > 0) await this.lookOnce();
    await condition(() => this.settling === 0);
  }

  protected get isCancelled(): boolean {
    return this.scope.consideredCancelled;
  }

  /** Resolves once the server has it; one that is under way is taken over. */
  protected async start([type, options]: Child): Promise<void> {
    const id = options.workflowId;
    await this.sending(async () => {
      const child = await startChild(type, options).catch(noneIfThere);
      if (!child) return this.adopt(id);
      this.own.add(id);
      void this.background(() => this.follow(child));
    });
  }

  protected adopt(id: string): void {
    this.foreign.add(id);
    if (this.look) this.look.cancel();
    else void this.background(() => this.lookAfterForeign());
  }

  /** Does what must be over before the next history begins. */
  protected async sending(work: () => Promise<void>): Promise<void> {
    this.starting++;
    try {
      await work();
    } finally {
      this.starting--;
    }
  }

  /** Does what must be over before the run ends, where it is cancelled. */
  protected async settle(work: () => Promise<void>): Promise<void> {
    this.settling++;
    try {
      await work();
    } finally {
      this.settling--;
    }
  }

  /** Does work beside the run; what it throws ends the run, unless that is ending already. */
  protected async background(work: () => Promise<void>): Promise<void> {
    try {
      await this.scope.run(work);
    } catch (error) {
      if (!this.isCancelled) this.fault ??= error;
    }
  }

  private async follow(child: ChildWorkflowHandle<Workflow>): Promise<void> {
    const ending = await child.result().then(endingByResult, endingOfFailed);
    this.own.delete(child.workflowId);
    if (this.isCancelled) this.foreign.add(child.workflowId);
    else await this.settle(() => this.ended(child.workflowId, ending));
  }

  private async lookAfterForeign(): Promise<void> {
    this.look = new CancellationScope();
    // A run that is started again finds many of them at once.
    await this.started();
    while (this.foreign.size > 0 && !this.isCancelled) await this.lookOnce();
    this.look = undefined;
  }

  private async lookOnce(): Promise<void> {
    // Cancelled where there are more to look after, and where the run ends.
    this.look = new CancellationScope();
    const ended = await this.look.run(() => awaitEnded([...this.foreign])).catch(ifCancelled([]));
    const settled = ended.map(({ workflowId, ending }) => {
      this.foreign.delete(workflowId);
      return this.settle(() => this.ended(workflowId, ending));
    });
    await Promise.all(settled);
  }
}

/** It has begun before, or is not to begin any more. */
function noneIfThere(error: unknown): undefined {
  if (error instanceof WorkflowExecutionAlreadyStartedError || isCancellation(error)) return;
  throw error;
}

function endingOfFailed(error: unknown): Ending {
  if (error instanceof ChildWorkflowFailure) return endingByFailure(error.cause);
  throw error;
}
