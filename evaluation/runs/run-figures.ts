/** The figures of one run, added up answer by answer: nothing of a question but its numbers stays. */

import type { Flag, MethodResult, Outcome } from '../../core/result.js';
import { addFailure, type FailureCount } from '../../core/run/failure-counts.js';
import type { UnscoredAnswers } from '../../core/run/run.js';
import { countReasons } from '../../core/run/sums.js';
import { addUsage, hasUsage, noUsage, sumUsage, type Usage } from '../../core/usage.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { rejectRate } from '../score-summary.js';
import { quantile } from '../statistics/distributions.js';
import { unscoredOf } from '../unscored.js';
import { hasOldScores, outcomeOf, type QuestionState, stateOf } from './question-state.js';
import { answersOf, type RunSource } from './run-source.js';
import { type MetricFigures, ScoreTables } from './score-tables.js';
import { addSteps, type StepFigures } from './step-usage.js';

/** The distribution of the times that questions took, in seconds. */
export interface Durations {
  median: number;
  /** 90th percentile. */
  p90: number;
  /** Durations of all ended questions whose time is known, ascending. */
  sorted: Float64Array;
}

/** The figures of a run: its outcomes, scores, costs and times. */
export interface RunFigures {
  manifest: RunManifest;
  /** Ended questions; the manifest has the total. */
  ended: number;
  outcomes: Record<Outcome, number>;
  /** The outcomes, with answered split into right and wrong. */
  states: Record<QuestionState, number>;
  /** Share of the ended questions answered "unknown", the failed left out. */
  rejectRate: number | undefined;
  /** Metrics in the order shown: of answers, then of passages. */
  metrics: MetricFigures[];
  /** Answers with scores from before the run was scored again. */
  outdated: number;
  /** Answers asked again as another sample because they were unreadable. */
  resampled: number;
  /** Answers without a score, by custom metric. */
  unscored: Record<string, UnscoredAnswers>;
  usage: Usage;
  /**
   * Usage of attempts whose answers were replaced, and of those without an answer that were
   * cancelled with the run or met a failure that every question would meet; not part of `usage`.
   */
  earlier: Usage;
  /** Usage of the judge; not part of `usage`. Undefined without a judge. */
  judging: Usage | undefined;
  retrievals: number;
  steps: StepFigures[];
  /**
   * Times from the start of a question to its end, including waits; undefined if there are none.
   */
  durations: Durations | undefined;
  /** Times during which a successful attempt was running; see `workingSeconds` of a result. */
  working: Durations | undefined;
  /** Most frequent first. */
  failures: FailureCount[];
  /** Questions with a flag of this kind. */
  flags: Partial<Record<Flag['kind'], number>>;
  /** Questions by the build of the workflows that finished them, if known. */
  builds: Record<string, number>;
}

/** The part that is counted answer by answer. */
type Counted = Omit<RunFigures, 'durations' | 'metrics' | 'rejectRate' | 'steps' | 'working'>;

/** Adds up the figures of a run answer by answer. */
export class RunTally {
  private readonly scores: ScoreTables;
  private readonly steps = new Map<string, StepFigures>();
  private readonly seconds: number[] = [];
  private readonly working: number[] = [];
  private readonly counted: Counted;

  /**
   * @param repeats Of the same experiment, whose answers are added as well.
   * @param cluster Field whose value the questions of a cluster share.
   */
  constructor(manifest: RunManifest, repeats: readonly RunManifest[] = [], cluster?: string) {
    const all = [manifest, ...repeats];
    const stopped = all.flatMap((one) => one.stopped ?? []);
    const questions = all.reduce((sum, one) => sum + one.questions, 0);
    this.scores = new ScoreTables(manifest, cluster);
    const isJudged = stopped.some(({ judge }) => hasUsage(judge));
    this.counted = {
      manifest: { ...manifest, questions },
      ended: 0,
      outdated: 0,
      resampled: 0,
      unscored: {},
      retrievals: 0,
      failures: [],
      flags: {},
      builds: {},
      outcomes: { answered: 0, unknown: 0, unreadable: 0, failed: 0 },
      states: { right: 0, wrong: 0, unknown: 0, unreadable: 0, failed: 0 },
      usage: noUsage,
      earlier: sumUsage(stopped.map(({ usage }) => usage)),
      judging: isJudged ? sumUsage(stopped.map(({ judge }) => judge)) : undefined,
    };
  }

  add(question: RunQuestion, answer: RunAnswer): void {
    this.scores.add(question, answer);
    this.countEnd(answer);
    this.countJudging(answer);
    if (answer.result) this.countResult(answer, answer.result);
  }

  private countEnd(answer: RunAnswer): void {
    const { counted } = this;
    const { manifest, outcomes, states } = counted;
    const outcome = outcomeOf(answer);
    counted.ended++;
    outcomes[outcome]++;
    states[stateOf(answer, manifest.metrics)]++;
    if (hasOldScores(answer, manifest)) counted.outdated++;
    if (answer.resample) counted.resampled++;
    counted.unscored = countReasons(counted.unscored, unscoredOf(answer));
    if (answer.earlier) counted.earlier = addUsage(counted.earlier, answer.earlier);
    if (outcome === 'failed') counted.failures = addFailure(counted.failures, failureOf(answer));
  }

  private countJudging({ judgement }: RunAnswer): void {
    for (const usage of [judgement?.usage, judgement?.earlier]) {
      if (usage) this.counted.judging = addUsage(this.counted.judging ?? noUsage, usage);
    }
  }

  private countResult(answer: RunAnswer, result: MethodResult): void {
    const { counted } = this;
    const { usage, retrievals, workingSeconds, steps, build, flags } = result;
    counted.usage = addUsage(counted.usage, usage);
    counted.retrievals += retrievals;
    const seconds = secondsOf(answer);
    if (seconds !== null) this.seconds.push(seconds);
    if (workingSeconds !== undefined) this.working.push(workingSeconds);
    addSteps(this.steps, steps);
    if (build !== undefined) counted.builds[build] = (counted.builds[build] ?? 0) + 1;
    for (const kind of new Set(flags.map((flag) => flag.kind))) {
      counted.flags[kind] = (counted.flags[kind] ?? 0) + 1;
    }
  }

  figures(): RunFigures {
    return {
      ...this.counted,
      rejectRate: rejectRate(this.counted.outcomes),
      metrics: this.scores.figures(),
      steps: [...this.steps.values()],
      durations: durationsOf(this.seconds),
      working: durationsOf(this.working),
    };
  }
}

function durationsOf(seconds: readonly number[]): Durations | undefined {
  if (seconds.length === 0) return undefined;
  const sorted = Float64Array.from(seconds).sort();
  return { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), sorted };
}

export async function figuresOf(run: RunSource): Promise<RunFigures> {
  const tally = new RunTally(run.manifest);
  for await (const { question, answer } of answersOf(run)) tally.add(question, answer);
  return tally.figures();
}

/** Returns why a question failed, wherever it is noted. */
export function failureOf({ failure, result }: RunAnswer) {
  return failure ?? result?.failure ?? { type: 'Unexpected', message: '', step: null };
}

/**
 * Returns the seconds from the begin of a question to its end, its waits included; null if it was
 * answered elsewhere.
 */
export function secondsOf({ startedAt, endedAt, result }: RunAnswer): number | null {
  if (result?.usage.untold !== undefined) return null;
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
}

export function metricFigures({ metrics }: RunFigures, metric: string): MetricFigures | undefined {
  return metrics.find((figures) => figures.metric === metric);
}
