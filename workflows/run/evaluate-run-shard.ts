import {
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  sleep,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunSpec } from '../../core/run/input.js';
import type { WorkflowEnding } from '../../core/run/run.js';
import { keptMemo } from '../version.js';
import { ifCancelled } from '../workflow-failure.js';
import { awaitEnded } from './activities.js';
import { InFlightQuestions } from './in-flight-questions.js';
import { canBeCarried, type InFlightQuestion } from './question-window.js';
import type { WaitingQuestion } from './run-pauses.js';

/**
 * Default for how many questions a shard, a child workflow that asks a part of a run's questions,
 * has under way at most: 1,000. Temporal allows 2,000 children for each workflow.
 */
export const PLACES_PER_SHARD = 1000;

interface ShardInput {
  spec: RunSpec;
  /** Workflow id of the run. */
  run: string;
  /** Maximum number of questions under way in it. @default PLACES_PER_SHARD */
  places?: number;
}

/**
 * The questions of a shard (a workflow that asks a part of a run's questions) that have ended
 * since its last report, each with its result or failure.
 */
export interface ShardReport {
  /** Workflow id of the shard. */
  shard: string;
  ended: { asked: InFlightQuestion; ending: WorkflowEnding }[];
}

/**
 * Signal from a run to a shard, which asks a part of its questions, that carries an array of
 * questions to begin.
 */
export const askSignal = defineSignal<[WaitingQuestion[]]>('ask');
/**
 * Signal from a run to a shard, which asks a part of its questions, that no more questions follow.
 */
export const closeSignal = defineSignal('close');
/** Signal from a shard to its run that carries a report of ended questions. */
export const endedSignal = defineSignal<[ShardReport]>('ended');

/** Time after which a shard without questions ends. The run starts another one when it needs it. */
const IDLE_MS = 60_000;

/** Pause between two reports, so that one report covers many questions. */
const BETWEEN_REPORTS_MS = 1000;

/**
 * Maximum number of questions begun in one workflow task, which has ten seconds, five of them for
 * its code.
 */
const MOST_BEGUN_AT_ONCE = 50;

/**
 * Time for which a shard whose report was refused waits to learn whether its run has ended, in
 * milliseconds.
 */
const RUN_CHECK_MS = 5000;

/**
 * Maximum number of questions in a report. Each takes a few kilobytes at most; Temporal allows 2 MB
 * for a signal.
 */
const MOST_A_REPORT = 200;

/**
 * Events of a history for each place. A question takes about six, and Temporal warns at 10,240.
 * Hundreds of events may come before the shard checks its history's length again.
 */
const EVENTS_A_PLACE = 7;

/** State carried from one history of a shard to the next. */
interface Carried {
  underWay: InFlightQuestion[];
  begun: number;
  isClosed: boolean;
}

/**
 * The workflow of a shard: it begins the questions that its run sends, as children of its own, and
 * reports how each has ended. The run decides which questions begin and what an ending means.
 *
 * If the run is gone, the questions continue and record their answers. A long history continues as
 * new; the next one takes over the questions under way.
 *
 * @returns The number of questions begun.
 */
export async function evaluateRunShard(input: ShardInput, before?: Carried): Promise<number> {
  const { spec, run, places = PLACES_PER_SHARD } = input;
  const shard = workflowInfo().workflowId;
  const waiting: WaitingQuestion[] = [];
  const ended: ShardReport['ended'] = [];
  let begun = before?.begun ?? 0;
  let isBeginning = false;
  let isClosed = before?.isClosed ?? false;
  let isHeard = true;
  const inFlight = new InFlightQuestions(
    before?.underWay ?? [],
    async (asked, ending) => {
      ended.push({ asked, ending });
    },
    run,
  );
  setHandler(askSignal, (questions) => {
    waiting.push(...questions);
    // A cancelled shard does not begin waiting questions.
    if (!isBeginning) beginWaiting().catch(ifCancelled(undefined));
  });
  setHandler(closeSignal, () => {
    isClosed = true;
  });

  try {
    for (;;) {
      const size = held();
      const isOver = () => isClosed && held() === 0;
      const hasNews = () => ended.length > 0 || inFlight.hasFault || isOver();
      if (size > 0) await condition(hasNews);
      else await condition(hasNews, IDLE_MS);
      inFlight.throwFault();
      if (ended.length > 0) {
        await CancellationScope.nonCancellable(report);
        if (isLong()) await goOnInNewHistory();
        await sleep(BETWEEN_REPORTS_MS);
      } else if (held() === 0 && (isClosed || size === 0)) {
        return begun;
      }
    }
  } catch (error) {
    // As in the run, any other error is a fault in our own code, and the task is retried.
    if (error instanceof TemporalFailure) {
      await CancellationScope.nonCancellable(async () => {
        await inFlight.cancel();
        await report();
      });
    }
    throw error;
  }

  function isLong(): boolean {
    if (isClosed && held() === 0) return false;
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return continueAsNewSuggested || historyLength >= places * EVENTS_A_PLACE;
  }

  /** Continues in a new history, unless there is something that the new one would not know. */
  async function goOnInNewHistory(): Promise<void> {
    await inFlight.started();
    const carried: Carried = { ...inFlight.carried, begun, isClosed };
    const isTold = waiting.length === 0 && !isBeginning && ended.length === 0;
    if (!isTold || !canBeCarried(carried)) return;
    await makeContinueAsNewFunc<typeof evaluateRunShard>(keptMemo())(input, carried);
  }

  function held(): number {
    return waiting.length + inFlight.size;
  }

  async function beginWaiting(): Promise<void> {
    isBeginning = true;
    while (waiting.length > 0) {
      const some = waiting.splice(0, MOST_BEGUN_AT_ONCE);
      for (const question of some) inFlight.begin(spec, question);
      begun += some.length;
      setCurrentDetails(describe());
      await inFlight.started();
    }
    isBeginning = false;
  }

  function describe(): string {
    return `${inFlight.size} under way; ${begun} begun`;
  }

  /** Returns false for a run that continues in a new history. */
  async function hasRunEnded(): Promise<boolean> {
    try {
      await CancellationScope.withTimeout(RUN_CHECK_MS, () => awaitEnded([run]));
      return true;
    } catch (error) {
      if (isCancellation(error)) return false;
      throw error;
    }
  }

  async function report(): Promise<void> {
    while (ended.length > 0) {
      const some = ended.splice(0, MOST_A_REPORT);
      if (!isHeard) continue;
      try {
        await getExternalWorkflowHandle(run).signal(endedSignal, { shard, ended: some });
      } catch {
        // The run was ended from outside, and a new start of it finds its questions by their ids;
        // or its history is full of signals, and the next report goes to its next history.
        isHeard = !(await hasRunEnded());
        if (isHeard) return void ended.unshift(...some);
      }
    }
    setCurrentDetails(describe());
  }
}
