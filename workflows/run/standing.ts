/** State of a run, carried from one history to the next, and the progress it shows. Pure. */

import type { FailureCount } from '../../core/run/failure-counts.js';
import type { RunSpec } from '../../core/run/input.js';
import type {
  CostsSeen,
  JudgeProgress,
  KeptSums,
  Pause,
  RunMetric,
  RunProgress,
  RunSettings,
} from '../../core/run/run.js';
import { settingsOf } from '../../core/run/settings.js';
import { noSums } from '../../core/run/sums.js';
import { isUsed, noUsage, type Usage } from '../../core/usage.js';
import type { StoppedUsage } from '../../stores/runs/run-store.js';
import { expectedUsd, nothingSpent, type PooledCosts, type Spending } from './budget.js';
import type { FailedAlike, HeldQuestion, WaitingQuestion } from './outage-suspects.js';

/** Usage that no answer contains: its questions were stopped or are asked again. */
export type UnrecordedUsage = Omit<StoppedUsage, 'startedAt'>;

/** Calls of questions that have ended, with those that judged their answers. */
export interface CallsSeen {
  calls: number;
  questions: number;
}

export interface Standing {
  /** The spec as given until the run is opened, then with all defaults. */
  spec: RunSpec;
  state: RunProgress['state'];
  pause: Pause | null;
  settings: RunSettings;
  /** Set if its study shares one budget among its runs. */
  inStudy?: true;
  questions: number;
  /** Custom metrics; absent if the run has none. */
  metrics?: RunMetric[];
  sums: KeptSums;
  usage: Usage;
  /** Usage of answers by earlier starts. */
  earlier: Usage;
  failures: FailureCount[];
  /** Such usage of this start; absent if there is none. */
  unrecorded?: UnrecordedUsage;
  spending: Spending;
  /** Costs of ended questions, of this start and earlier ones. */
  seen: CostsSeen;
  /** What questions have asked that have ended in this start; left out before the first. */
  asked?: CallsSeen;
  /** The most model calls of a question; left out if its method does not tell, or there is a judge. */
  mostCalls?: number;
  /** Models assumed to be free until their endpoint reports a cost; absent if there are none. */
  assumedFree?: readonly string[];
  /** Most model calls of a question; only in a run by batch whose method tells it. */
  callsEach?: number;
  /**
   * Expected costs of the first questions' calls until one has ended; only in such a run with a
   * budget.
   */
  pooled?: PooledCosts;
  /** When this start began, in milliseconds since 1970. */
  startedAt: number;
  /** Questions read and not yet begun. */
  waiting: WaitingQuestion[];
  /** Questions that failed in a row from a cause that waiting can heal. */
  held: HeldQuestion[];
  /**
   * The first questions that ended, if they failed alike, until it is known whether every other
   * would.
   */
  alike?: FailedAlike[];
  judge: JudgeProgress;
  /**
   * Set if an answer was judged, or failed to be from a cause of its own, in this start or an
   * earlier one.
   */
  hasJudged?: true;
  /** Place of the next page of questions; null after the last. */
  from: number | null;
  /** Questions that this start may still read; absent if there is no limit. */
  left?: number;
}

const NO_COSTS: CostsSeen = { usd: 0, questions: 0 };

/** Returns the state at the start. @param input Unchecked input. */
export function openingStanding(input: unknown, startedAt: number): Standing {
  const spec = Object(input) as RunSpec;
  return {
    spec,
    state: 'opening',
    pause: null,
    settings: settingsOf(spec),
    questions: 0,
    sums: noSums,
    usage: noUsage,
    earlier: noUsage,
    failures: [],
    spending: nothingSpent,
    seen: spec.costsSeen ?? NO_COSTS,
    ...(spec.costsSeen && { inStudy: true as const }),
    startedAt,
    waiting: [],
    held: [],
    judge: { usage: noUsage, failed: 0 },
    from: 0,
    ...(spec.upTo && { left: spec.upTo }),
  };
}

/** Returns the progress to show. @param running Questions under way. */
export function progressOf(standing: Standing, running: number): RunProgress {
  const { spec, state, pause, settings, questions, metrics, sums, usage, judge, startedAt } =
    standing;
  const { earlier, failures, seen } = standing;
  const isKept = spec.transport && settings.budgetUsd !== null;
  const underWayUsd = isKept ? expectedUsd(standing, running) : null;
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
    ...(isUsed(earlier) && { earlier }),
    ...(failures.length > 0 && { failures }),
    ...(spec.judge !== undefined && { judge }),
    ...(underWayUsd !== null && { underWayUsd }),
    ...((settings.budgetUsd !== null || standing.inStudy) && { costsSeen: seen }),
    startedAt,
  };
}
