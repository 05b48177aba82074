/** The questions of a run that are under way, and what the next history must know of them. */
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
import type { WorkflowEnding } from '../../core/run/run.js';
import { ifCancelled } from '../workflow-failure.js';
import { awaitEnded } from './activities.js';
import { endingByFailure, endingByResult } from './ending.js';
import type { ChildStart } from './question-child.js';
import type { WaitingQuestion } from './run-pauses.js';

/**
 * A question of a run that has begun and not ended, with the time of its beginning in milliseconds
 * since 1970.
 */
export interface InFlightQuestion extends WaitingQuestion {
  /** Time of its start, in milliseconds since 1970. */
  startedAt: number;
}

/**
 * The state of one shard (a workflow that asks a part of a run's questions), carried from one
 * history to the next: its id, the number of questions that it was given, and how many of them
 * have not ended.
 */
export interface ShardState {
  /** Workflow id. */
  id: string;
  /** Number of questions given to it, ended or not. */
  given: number;
  /** Number of these that have not ended. */
  open: number;
}

/**
 * The state of all shards of a run (the workflows that ask parts of its questions), carried from
 * one history to the next.
 */
export interface ShardsState {
  /** Number of shards made so far. */
  made: number;
  /** Maximum number of questions under way in each shard. */
  places: number;
  shards: ShardState[];
}

/**
 * The questions under way (`underWay`), or else the shards, the workflows that ask parts of them
 * (`shards`), as carried from one history to the next.
 */
export interface CarriedWindow {
  underWay?: InFlightQuestion[];
  shards?: ShardsState;
}

/**
 * Maximum number of characters carried, since Temporal allows 2 MB for the input of a new history.
 */
const MOST_CHARACTERS_CARRIED = 500_000;

/**
 * Returns whether a state is small enough for the input of a new history: at most 500,000
 * characters of JSON.
 */
export function canBeCarried(carried: unknown): boolean {
  return JSON.stringify(carried).length <= MOST_CHARACTERS_CARRIED;
}

/**
 * The window of a run: its questions that have begun and not ended, and the methods to begin one
 * and to wait for their ends.
 *
 * Temporal notifies a history of the ends of its own children. Workflows begun by an earlier
 * history, or by an earlier start of the run, are foreign: an activity polls how they ended. It
 * also polls questions that were cancelled with the run, whose failure does not report their
 * usage.
 */
export abstract class QuestionWindow {
  /** Workflow ids of children begun in this history. */
  private readonly own = new Set<string>();
  private readonly foreign = new Set<string>();
  private readonly scope = new CancellationScope();
  private poll: CancellationScope | undefined;
  private starting = 0;
  /** Endings that are being recorded or counted. */
  protected endings = 0;
  private fault: unknown;

  /** Number of questions under way. */
  abstract readonly size: number;
  /** Maximum number of questions under way. */
  abstract readonly widest: number;
  /** Begins a question. */
  abstract begin(spec: RunSpec, question: WaitingQuestion): void;
  /** State for the next history; complete once `started` has resolved. */
  abstract readonly carried: CarriedWindow;
  /** Ends the window at the end of the run. */
  async close(): Promise<void> {}
  /** Called for each workflow that ended. */
  protected abstract ended(id: string, ending: WorkflowEnding): Promise<void>;

  /** Whether an error must end the run. */
  get hasFault(): boolean {
    return this.fault !== undefined;
  }

  /** Throws the error that must end the run, if there is one. */
  throwFault(): void {
    if (this.hasFault) throw this.fault;
  }

  /** Resolves once the server has all begun workflows, so that the next history finds them. */
  async started(): Promise<void> {
    await condition(() => this.starting === 0);
  }

  /** Cancels all questions and resolves once they have ended. */
  async cancel(): Promise<void> {
    this.scope.cancel();
    // A start can show that a workflow is foreign.
    await this.started();
    // A workflow that cannot be cancelled has already ended.
    await Promise.allSettled([...this.foreign].map((id) => getExternalWorkflowHandle(id).cancel()));
    await condition(() => this.own.size === 0);
    while (this.foreign.size > 0) await this.pollOnce();
    await condition(() => this.endings === 0);
  }

  protected get isCancelled(): boolean {
    return this.scope.consideredCancelled;
  }

  /**
   * Starts a child; resolves once the server has it. A running workflow of that id is taken over.
   */
  protected async start([type, options]: ChildStart): Promise<void> {
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
    if (this.poll) this.poll.cancel();
    else void this.background(() => this.pollForeign());
  }

  /** Runs work that must finish before the next history begins. */
  protected async sending(work: () => Promise<void>): Promise<void> {
    this.starting++;
    try {
      await work();
    } finally {
      this.starting--;
    }
  }

  /** Handles an ending, which must finish before a cancelled run ends. */
  protected async handling(work: () => Promise<void>): Promise<void> {
    this.endings++;
    try {
      await work();
    } finally {
      this.endings--;
    }
  }

  /** Runs work in the background. An error ends the run, unless it is already ending. */
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
    else await this.handling(() => this.ended(child.workflowId, ending));
  }

  private async pollForeign(): Promise<void> {
    this.poll = new CancellationScope();
    // A run that is started again finds many foreign workflows at once.
    await this.started();
    while (this.foreign.size > 0 && !this.isCancelled) await this.pollOnce();
    this.poll = undefined;
  }

  private async pollOnce(): Promise<void> {
    // Cancelled when there are more workflows to watch, and when the run ends.
    this.poll = new CancellationScope();
    const ended = await this.poll.run(() => awaitEnded([...this.foreign])).catch(ifCancelled([]));
    const handled = ended.map(({ workflowId, ending }) => {
      this.foreign.delete(workflowId);
      return this.handling(() => this.ended(workflowId, ending));
    });
    await Promise.all(handled);
  }
}

/**
 * Maps two errors of a start to undefined: the workflow already exists, or the run is cancelled.
 */
function noneIfThere(error: unknown): undefined {
  if (error instanceof WorkflowExecutionAlreadyStartedError || isCancellation(error)) return;
  throw error;
}

function endingOfFailed(error: unknown): WorkflowEnding {
  if (error instanceof ChildWorkflowFailure) return endingByFailure(error.cause);
  throw error;
}
