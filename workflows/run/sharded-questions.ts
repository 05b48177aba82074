/** The questions of a run by batch: more of them than one workflow may have children. */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WIDEST_WINDOW } from '../../core/provider-batches.js';
import type { RunSpec } from '../../core/run/input.js';
import { summaryLine } from '../summary-line.js';
import { awaitEnded } from './activities.js';
import type { WaitingQuestion } from './held-back.js';
import type { OnEnd, QuestionWindow } from './in-flight-questions.js';
import { priorityOf } from './question-child.js';
import { askSignal, closeSignal, endedSignal, PLACES, type ShardReport } from './shard-signals.js';

/** In all, so often its places. */
const TURNS = 2;

/** Below a megabyte, with the longest page of questions; Temporal allows 2 MB a signal. */
const MOST_A_SIGNAL = 300;

/** A shard, as it goes from one history to the next. */
export interface ShardStanding {
  /** Its workflow id. */
  id: string;
  /** Questions that it was given, ended or not. */
  given: number;
  /** Those that have not ended. */
  open: number;
}

/** All of them, as they go on. */
export interface ShardsStanding {
  /** How many there have been. */
  made: number;
  /** Questions that each may have under way. */
  places: number;
  shards: ShardStanding[];
}

interface Shard extends ShardStanding {
  /** Given, and not sent yet. */
  outbox: WaitingQuestion[];
  isStarted: boolean;
  isServed: boolean;
}

/**
 * Each question is the child of a shard, which is told of it by a signal and tells by one how it
 * ended. What a question's ending means is decided here, as where it is a child of the run.
 */
export class ShardedQuestions implements QuestionWindow {
  readonly widest = WIDEST_WINDOW;
  /** In the order they were made. */
  private readonly shards = new Map<string, Shard>();
  /** Ids of those that this history is the parent of, and that have not ended. */
  private readonly own = new Set<string>();
  /** Ids of those of earlier histories that are not known to have ended. */
  private readonly foreign: Set<string>;
  private readonly scope = new CancellationScope();
  private readonly places: number;
  private made: number;
  private serving = 0;
  /** Questions that have ended, and are being recorded or counted. */
  private settling = 0;
  private fault: unknown;

  /**
   * @param carried As an earlier history left them.
   * @param onEnd Told of each question that ended.
   */
  constructor(
    carried: ShardsStanding | undefined,
    private readonly onEnd: OnEnd,
    placesPerShard = PLACES,
  ) {
    const { made, places, shards } = carried ?? { made: 0, places: placesPerShard, shards: [] };
    this.made = made;
    this.places = places;
    for (const shard of shards) {
      this.shards.set(shard.id, { ...shard, outbox: [], isStarted: true, isServed: false });
    }
    this.foreign = new Set(this.shards.keys());
    setHandler(endedSignal, (report) => this.settle(report));
    if (this.foreign.size > 0) this.background(() => this.lookAfterForeign());
  }

  get size(): number {
    return [...this.shards.values()].reduce((sum, { open }) => sum + open, this.settling);
  }

  /** For the next history; nothing waits to be sent once `started` has resolved. */
  get standing(): ShardsStanding {
    const shards = [...this.shards.values()].map(({ id, given, open }) => ({ id, given, open }));
    return { made: this.made, places: this.places, shards };
  }

  begin(spec: RunSpec, question: WaitingQuestion): void {
    const shard = this.withRoom() ?? this.make();
    shard.given++;
    shard.open++;
    shard.outbox.push(question);
    if (!shard.isServed) this.serve(spec, shard);
  }

  async started(): Promise<void> {
    await condition(() => this.serving === 0);
  }

  throwFault(): void {
    if (this.fault !== undefined) throw this.fault;
  }

  hasChanged(size: number): boolean {
    return this.size !== size || this.fault !== undefined;
  }

  /** The run ends: the shards need not wait for more. */
  async close(): Promise<void> {
    const signals = [...this.shards.keys()].map((id) =>
      getExternalWorkflowHandle(id).signal(closeSignal),
    );
    // One that was idle has ended by itself.
    await Promise.allSettled(signals);
  }

  async cancel(): Promise<void> {
    this.scope.cancel();
    await this.started();
    await Promise.allSettled([...this.foreign].map((id) => getExternalWorkflowHandle(id).cancel()));
    while (this.foreign.size > 0) {
      for (const { workflowId } of await awaitEnded([...this.foreign])) {
        this.foreign.delete(workflowId);
      }
    }
    // What a shard has told of its questions has come before its own end.
    await condition(() => this.own.size === 0 && this.settling === 0);
  }

  private withRoom(): Shard | undefined {
    return [...this.shards.values()].find(
      ({ given, open }) => open < this.places && given < TURNS * this.places,
    );
  }

  private make(): Shard {
    // A start of the run that was ended from outside may have left shards behind.
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const id = `${workflowId}/shards/${firstExecutionRunId}/${this.made++}`;
    const shard = { id, given: 0, open: 0, outbox: [], isStarted: false, isServed: false };
    this.shards.set(id, shard);
    return shard;
  }

  private serve(spec: RunSpec, shard: Shard): void {
    shard.isServed = true;
    this.serving++;
    this.background(async () => {
      try {
        // In the meantime others begin that go along.
        await (shard.isStarted ? Promise.resolve() : this.start(spec, shard));
        while (shard.outbox.length > 0) await this.send(spec, shard);
      } finally {
        shard.isServed = false;
        this.serving--;
      }
    });
  }

  private async start(spec: RunSpec, shard: Shard): Promise<void> {
    const { id } = shard;
    const { workflowId } = workflowInfo();
    const child = await startChild('evaluateRunShard', {
      workflowId: id,
      parentClosePolicy: 'ABANDON',
      priority: priorityOf(spec),
      staticSummary: summaryLine(`A part of the run ${spec.run}`),
      args: [{ spec, run: workflowId, places: this.places }],
    });
    shard.isStarted = true;
    this.own.add(id);
    this.background(async () => {
      try {
        await child.result();
      } catch (error) {
        this.checkLost(id, error);
      } finally {
        this.own.delete(id);
      }
    });
  }

  private async send(spec: RunSpec, shard: Shard): Promise<void> {
    const questions = shard.outbox.splice(0, MOST_A_SIGNAL);
    try {
      await getExternalWorkflowHandle(shard.id).signal(askSignal, questions);
    } catch (error) {
      if (isCancellation(error)) throw error;
      // It was idle, and has ended: the others take its questions.
      const unsent = [...questions, ...shard.outbox.splice(0)];
      shard.open -= unsent.length;
      this.checkLost(shard.id, error);
      this.shards.delete(shard.id);
      for (const question of unsent) this.begin(spec, question);
    }
  }

  /** A shard that has ended takes what is under way there along: nobody would be told of it. */
  private checkLost(id: string, error: unknown): void {
    const open = this.shards.get(id)?.open ?? 0;
    if (open === 0 || this.scope.consideredCancelled) return;
    const why = error instanceof Error ? error.message : String(error);
    this.fault ??= ApplicationFailure.nonRetryable(
      `${id}, the parent of ${open} questions of this run, was ended from outside: ${why}. Start the run again: it goes on with what has no answer.`,
      'ShardLost',
    );
  }

  private async lookAfterForeign(): Promise<void> {
    while (this.foreign.size > 0) {
      for (const { workflowId, ending } of await awaitEnded([...this.foreign])) {
        this.foreign.delete(workflowId);
        const { failure } = ending;
        if (failure) this.checkLost(workflowId, new Error(failure.message));
      }
    }
  }

  private async settle({ shard: id, ended }: ShardReport): Promise<void> {
    const shard = this.shards.get(id);
    // Of a start of the run that was ended from outside: this one asks for itself.
    if (!shard) return;
    shard.open -= ended.length;
    this.settling += ended.length;
    const settled = ended.map(async ({ asked, ending }) => {
      try {
        await this.onEnd(asked, ending);
      } catch (error) {
        if (!this.scope.consideredCancelled) this.fault ??= error;
      } finally {
        this.settling--;
      }
    });
    await Promise.all(settled);
  }

  /** Does work beside the run; what it throws ends the run, unless that is ending already. */
  private background(work: () => Promise<void>): void {
    this.scope.run(work).catch((error: unknown) => {
      if (!this.scope.consideredCancelled) this.fault ??= error;
    });
  }
}
