/** Where a batch stands, as it goes from one history to the next. Pure. */
import type {
  BatchProgress,
  BatchSettings,
  JudgeProgress,
  KeptSums,
  Pause,
  RunMetric,
} from '../../core/run/batch.js';
import type { FailureCount } from '../../core/run/failure-counts.js';
import type { Batch } from '../../core/run/input.js';
import { settingsOf } from '../../core/run/settings.js';
import { noSums } from '../../core/run/sums.js';
import { noUsage, type Usage } from '../../core/usage.js';
import { nothingSpent, type PooledCosts, type Spending } from './budget.js';
import type { HeldQuestion, WaitingQuestion } from './held-back.js';

export interface Standing {
  /** As it was started with until it is opened, then with every default. */
  batch: Batch;
  state: BatchProgress['state'];
  pause: Pause | null;
  settings: BatchSettings;
  /** How many there are. */
  questions: number;
  /** Of somebody's own; only where the run has any. */
  metrics?: RunMetric[];
  sums: KeptSums;
  usage: Usage;
  /** What answers took that earlier starts have brought. */
  earlier: Usage;
  failures: FailureCount[];
  spending: Spending;
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
  judge: JudgeProgress;
  /** Where the next questions are read; null after the last. */
  from: number | null;
}

/** @param input Not checked yet. */
export function openingStanding(input: unknown, startedAt: number): Standing {
  const batch = Object(input) as Batch;
  return {
    batch,
    state: 'opening',
    pause: null,
    settings: settingsOf(batch),
    questions: 0,
    sums: noSums,
    usage: noUsage,
    earlier: noUsage,
    failures: [],
    spending: nothingSpent,
    startedAt,
    waiting: [],
    held: [],
    judge: { usage: noUsage, failed: 0 },
    from: 0,
  };
}
