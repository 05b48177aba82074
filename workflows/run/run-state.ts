/** The state of a run, from its start and the pages of its questions to the progress shown. Pure. */
import { addCosts, NO_SPENDING, type PooledCosts, type Spending } from '../../core/run/costs.js';
import type { FailureCount } from '../../core/run/failure-counts.js';
import type { RunSpec } from '../../core/run/input.js';
import type {
  CostsSeen,
  JudgeProgress,
  RunMetric,
  RunProgress,
  RunSums,
} from '../../core/run/run.js';
import { settingsOf } from '../../core/run/run-settings.js';
import { addSums, NO_SUMS } from '../../core/run/sums.js';
import { addUsage, hasUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { StoppedUsage } from '../../stores/runs/run-store.js';
import type { OpenedRun, ReadQuestions } from '../activities/run.js';
import { expectedUsd } from './run-budget.js';
import type { PauseState } from './run-pauses.js';

/**
 * The state of a run's workflow, which it carries to the next history: its input, what is still to
 * be asked, counts and sums, and its pause.
 */
export interface RunBookState extends PauseState {
  /** The spec as given until the run is opened, then with all defaults. */
  spec: RunSpec;
  state: RunProgress['state'];
  /** Set if its study shares one budget among its runs. */
  inStudy?: true;
  /** Number of questions. */
  questions: number;
  /** Custom metrics; absent if the run has none. */
  metrics?: RunMetric[];
  sums: RunSums;
  usage: Usage;
  /** Usage of answers by earlier starts. */
  earlier: Usage;
  failures: FailureCount[];
  /**
   * Usage of this start that no answer contains, since its questions were stopped or are asked
   * again; absent if there is none.
   */
  unrecorded?: Omit<StoppedUsage, 'startedAt'>;
  spending: Spending;
  /** Costs of ended questions, of this start and earlier ones. */
  seen: CostsSeen;
  /** Calls of the questions that have ended in this start, judging included; absent before the first. */
  asked?: { calls: number; questions: number };
  /**
   * Maximum number of model calls of a question; absent if its method declares no bound, or if the
   * run has a judge.
   */
  mostCalls?: number;
  /** Models assumed to be free until their endpoint reports a cost; absent if there are none. */
  assumedFree?: readonly string[];
  /**
   * Maximum number of model calls of a question; only in a run by batch whose method declares a
   * bound.
   */
  callsEach?: number;
  /**
   * Expected costs of the first questions' calls until one has ended; only in such a run with a
   * budget.
   */
  pooled?: PooledCosts;
  /** Time of this start, in milliseconds since 1970. */
  startedAt: number;
  judge: JudgeProgress;
  /**
   * Set if an answer was judged, or could not be judged for a reason of its own, in this start or
   * an earlier one.
   */
  hasJudged?: true;
  /** Place of the next page of questions; null after the last. */
  from: number | null;
  /** Number of questions that this start may still read; absent if there is no limit. */
  left?: number;
}

/**
 * Returns the state of a run that begins.
 *
 * @param input Unchecked input.
 * @param startedAt Time of the start, in milliseconds since 1970.
 */
export function initialBookState(input: unknown, startedAt: number): RunBookState {
  const spec = Object(input) as RunSpec;
  return {
    spec,
    state: 'opening',
    pause: null,
    settings: settingsOf(spec),
    questions: 0,
    sums: NO_SUMS,
    usage: NO_USAGE,
    earlier: NO_USAGE,
    failures: [],
    spending: NO_SPENDING,
    seen: spec.costsSeen ?? { usd: 0, questions: 0 },
    ...(spec.costsSeen && { inStudy: true as const }),
    startedAt,
    waiting: [],
    held: [],
    judge: { usage: NO_USAGE, failed: 0 },
    from: 0,
    ...(spec.upTo && { left: spec.upTo }),
  };
}

/** Returns the changes to a run's state once its input is checked and its data set read. */
export function stateOfOpened({
  spec: input,
  datasetName,
  questions,
  labelled,
  metrics,
  callsEach,
  mostCalls,
  assumedFree,
}: OpenedRun): Partial<RunBookState> {
  const spec: RunSpec = { ...input, datasetName, ...(labelled && { labelled }) };
  return {
    spec,
    questions,
    ...(metrics && { metrics }),
    ...(callsEach !== undefined && { callsEach }),
    // The number of calls that judge an answer is not known in advance.
    ...(mostCalls !== undefined && spec.judge === undefined && { mostCalls }),
    ...(assumedFree && { assumedFree }),
    state: 'running',
  };
}

/**
 * Returns the changes to a run's state by a page of questions, which leaves out those finished by an
 * earlier start.
 */
export function stateWithPage(
  { waiting, sums, spec, seen, earlier, left: before }: RunBookState,
  { questions, read, kept, costsSeen, hasJudged, earlier: usage = NO_USAGE, next }: ReadQuestions,
): Partial<RunBookState> {
  // Costs that a study reported for its cells already include these.
  const isNews = costsSeen && !spec.costsSeen?.questions;
  const left = before === undefined ? undefined : before - read;
  return {
    waiting: [...waiting, ...questions],
    sums: addSums(sums, kept),
    earlier: addUsage(earlier, usage),
    ...(isNews && { seen: addCosts(seen, costsSeen) }),
    ...(hasJudged && { hasJudged }),
    ...(left !== undefined && { left }),
    from: left === 0 ? null : next,
  };
}

/** Returns the progress of a run to show. @param running Questions under way. */
export function progressOf(book: RunBookState, running: number): RunProgress {
  const { spec, state, pause, settings, questions, metrics, sums, usage, judge } = book;
  const { earlier, failures, seen, inStudy, startedAt } = book;
  const hasBudget = settings.budgetUsd !== null;
  const underWayUsd = spec.transport && hasBudget ? expectedUsd(book, running) : null;
  return {
    run: spec.run,
    method: spec.method,
    state: state === 'running' && pause ? 'paused' : state,
    pause,
    settings,
    questions,
    running,
    ...sums,
    ...(metrics && { metrics }),
    usage,
    ...(hasUsage(earlier) && { earlier }),
    ...(failures.length > 0 && { failures }),
    ...(spec.judge !== undefined && { judge }),
    ...(underWayUsd !== null && { underWayUsd }),
    ...((hasBudget || inStudy) && { costsSeen: seen }),
    startedAt,
  };
}

/**
 * Returns the mean number of calls of the questions that have ended in this start, judging
 * included; before the first has, the most calls that a question may make, undefined if that is
 * not known.
 */
export function callsOfQuestion({ asked, mostCalls }: RunBookState): number | undefined {
  return asked?.questions ? asked.calls / asked.questions : mostCalls;
}
