/** Where a run stands, as it goes from one history to the next, and what it tells of that. Pure. */

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
import type { FailedAlike, HeldQuestion, WaitingQuestion } from './held-back.js';

/** What attempts took that no answer tells of: their questions were stopped, or are asked again. */
export type UnrecordedUsage = Omit<StoppedUsage, 'startedAt'>;

/** Calls of questions that have ended, with those that judged their answers. */
export interface CallsSeen {
  calls: number;
  questions: number;
}

export interface Standing {
  /** As it was started with until it is opened, then with every default. */
  spec: RunSpec;
  state: RunProgress['state'];
  pause: Pause | null;
  settings: RunSettings;
  /** Its study shares one budget among its runs. */
  inStudy?: true;
  questions: number;
  /** Of somebody's own; only where the run has any. */
  metrics?: RunMetric[];
  sums: KeptSums;
  usage: Usage;
  /** What answers took that earlier starts have brought. */
  earlier: Usage;
  failures: FailureCount[];
  /** Of this start; only where anything was used so. */
  unrecorded?: UnrecordedUsage;
  spending: Spending;
  /** Of questions that have ended, in this start or in an earlier one. */
  seen: CostsSeen;
  /** What questions have asked that have ended in this start; left out before the first. */
  asked?: CallsSeen;
  /** The most model calls of a question; left out if its method does not tell, or there is a judge. */
  mostCalls?: number;
  /** Models that are assumed to be free until their endpoint states a cost; only if there are any. */
  assumedFree?: readonly string[];
  /** The most model calls of a question; only of a run by batch whose method tells it. */
  callsEach?: number;
  /** Of the first questions' calls, until one has ended; only of such a run with a budget. */
  pooled?: PooledCosts;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Read and not begun yet. */
  waiting: WaitingQuestion[];
  /** Failed in a row by what a wait can heal. */
  held: HeldQuestion[];
  /** The first that ended, if they failed alike; until it is known whether every other would. */
  alike?: FailedAlike[];
  judge: JudgeProgress;
  /** An answer has been judged, or could not be by what is its own, in this start or an earlier one. */
  hasJudged?: true;
  /** Where the next questions are read; null after the last. */
  from: number | null;
  /** How many of them this start may read; left out where all. */
  left?: number;
}

const NO_COSTS: CostsSeen = { usd: 0, questions: 0 };

/** @param input Not checked yet. */
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

/** @param running Questions under way. */
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
