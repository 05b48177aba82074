import {
  ApplicationFailure,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { MOST_IN_FLIGHT } from '../../core/provider-batches.js';
import type { RunSpec } from '../../core/run/input.js';
import type { WorkflowEnding } from '../../core/run/run.js';
import { summaryLine } from '../summary-line.js';
import {
  askSignal,
  closeSignal,
  endedSignal,
  PLACES_PER_SHARD,
  type ShardReport,
} from './evaluate-run-shard.js';
import type { OnEnd } from './in-flight-questions.js';
import { type ChildStart, priorityOf } from './question-child.js';
import { QuestionWindow, type ShardState, type ShardsState } from './question-window.js';
import type { WaitingQuestion } from './run-pauses.js';

/** Times that a shard fills its places before another one is started. */
const TURNS = 2;

/**
 * Maximum number of questions in a signal: below a megabyte even with the longest page; Temporal
 * allows 2 MB.
 */
const MOST_A_SIGNAL = 300;

interface Shard extends ShardState {
  /** Questions given to the shard and not yet sent. */
  outbox: WaitingQuestion[];
  isStarted: boolean;
  isServed: boolean;
}

/**
 * The window of a run whose questions are children of shards, workflows that each ask a part of
 * them. Signals carry the questions to a shard, and its reports of ended ones back. The run still
 * decides what an ending means.
 */
export class ShardedQuestions extends QuestionWindow {
  readonly widest = MOST_IN_FLIGHT;
  /** Shards in the order they were made. */
  private readonly shards = new Map<string, Shard>();
  private readonly places: number;
  private made: number;

  /** @param carried Shards left by an earlier history. */
  constructor(
    carried: ShardsState | undefined,
    private readonly onEnd: OnEnd,
    placesPerShard = PLACES_PER_SHARD,
  ) {
    super();
    const { made, places, shards } = carried ?? { made: 0, places: placesPerShard, shards: [] };
    this.made = made;
    this.places = places;
    for (const shard of shards) {
      this.shards.set(shard.id, { ...shard, outbox: [], isStarted: true, isServed: false });
      this.adopt(shard.id);
    }
    setHandler(endedSignal, (report) => this.hear(report));
  }

  get size(): number {
    return [...this.shards.values()].reduce((sum, { open }) => sum + open, this.endings);
  }

  /** State for the next history; nothing waits to be sent once `started` has resolved. */
  get carried() {
    const shards = [...this.shards.values()].map(({ id, given, open }) => ({ id, given, open }));
    return { shards: { made: this.made, places: this.places, shards } };
  }

  begin(spec: RunSpec, question: WaitingQuestion): void {
    const shard = this.withRoom() ?? this.make();
    shard.given++;
    shard.open++;
    shard.outbox.push(question);
    if (!shard.isServed) void this.background(() => this.serve(spec, shard));
  }

  /** Closes the shards at the end of the run: nothing more is sent. */
  override async close(): Promise<void> {
    const signals = [...this.shards.keys()].map((id) =>
      getExternalWorkflowHandle(id).signal(closeSignal),
    );
    // An idle shard has ended by itself.
    await Promise.allSettled(signals);
  }

  protected async ended(id: string, { failure }: WorkflowEnding): Promise<void> {
    if (failure) this.checkLost(id, failure.message);
  }

  /** Ends the run if a shard is gone with questions under way, since nothing would report them. */
  private checkLost(id: string, why: string): void {
    const open = this.shards.get(id)?.open ?? 0;
    if (open === 0 || this.isCancelled) return;
    throw ApplicationFailure.nonRetryable(
      `${id}, the parent of ${open} questions of this run, is gone. ${why}. Start the run again: it continues with the questions without an answer.`,
      'ShardLost',
    );
  }

  private withRoom(): Shard | undefined {
    return [...this.shards.values()].find(
      ({ given, open }) => open < this.places && given < TURNS * this.places,
    );
  }

  private make(): Shard {
    // An earlier start of the run, ended from outside, may have left shards behind.
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const id = `${workflowId}/shards/${firstExecutionRunId}/${this.made++}`;
    const shard = { id, given: 0, open: 0, outbox: [], isStarted: false, isServed: false };
    this.shards.set(id, shard);
    return shard;
  }

  private async serve(spec: RunSpec, shard: Shard): Promise<void> {
    shard.isServed = true;
    await this.sending(async () => {
      // Questions added in the meantime go with the first signal.
      if (!shard.isStarted) await this.start(this.childStartOf(spec, shard));
      shard.isStarted = true;
      while (shard.outbox.length > 0) await this.send(spec, shard);
      shard.isServed = false;
    });
  }

  private childStartOf(spec: RunSpec, { id }: Shard): ChildStart {
    const { workflowId } = workflowInfo();
    return [
      'evaluateRunShard',
      {
        workflowId: id,
        parentClosePolicy: 'ABANDON',
        priority: priorityOf(spec),
        staticSummary: summaryLine(`A part of the run ${spec.run}`),
        args: [{ spec, run: workflowId, places: this.places }],
      },
    ];
  }

  private async send(spec: RunSpec, shard: Shard): Promise<void> {
    const questions = shard.outbox.splice(0, MOST_A_SIGNAL);
    try {
      await getExternalWorkflowHandle(shard.id).signal(askSignal, questions);
    } catch (error) {
      if (isCancellation(error)) throw error;
      // The shard was idle and has ended: the others take its questions.
      const unsent = [...questions, ...shard.outbox.splice(0)];
      shard.open -= unsent.length;
      this.checkLost(shard.id, String(error));
      this.shards.delete(shard.id);
      for (const question of unsent) this.begin(spec, question);
    }
  }

  private async hear({ shard: id, ended }: ShardReport): Promise<void> {
    const shard = this.shards.get(id);
    // A shard of an earlier start of the run. This start asks the same questions itself.
    if (!shard) return;
    shard.open -= ended.length;
    const handled = ended.map(({ asked, ending }) =>
      this.background(() => this.handling(() => this.onEnd(asked, ending))),
    );
    await Promise.all(handled);
  }
}
