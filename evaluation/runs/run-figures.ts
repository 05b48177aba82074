/** Sums up the figures of one run, answer by answer, without keeping any texts. */

import type { Flag, MethodResult, Outcome } from '../../core/result.js';
import { addFailure, type FailureCount } from '../../core/run/failure-counts.js';
import type { UnscoredAnswers } from '../../core/run/run.js';
import { countReasons } from '../../core/run/sums.js';
import { addUsage, hasUsage, NO_USAGE, sumUsage, type Usage } from '../../core/usage.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { rejectRate } from '../score-summary.js';
import { quantile } from '../statistics/distributions.js';
import { unscoredReasons } from '../unscored.js';
import { hasOldScores, outcomeOf, type QuestionState, stateOf } from './question-state.js';
import { answersOf, type RunSource } from './run-source.js';
import { type MetricFigures, ScoreTables } from './score-tables.js';
import { addSteps, type StepFigures } from './step-usage.js';

/** The median, the 90th percentile, and all values of durations, in seconds. */
export interface Durations {
  median: number;
  /** 90th percentile. */
  p90: number;
  /** All known durations, ascending. */
  sorted: Float64Array;
}

/**
 * The figures of a run over its ended questions: counts by outcome, metrics with means and scores
 * by question, usage and cost, and times.
 */
export interface RunFigures {
  manifest: RunManifest;
  /** Number of ended questions; `manifest.questions` is the number of all. */
  ended: number;
  /** Number of questions by outcome. */
  outcomes: Record<Outcome, number>;
  /** Number of questions by state, with answered split into right and wrong. */
  states: Record<QuestionState, number>;
  /**
   * Questions with the outcome unknown, as a fraction of the ended questions that did not fail;
   * undefined if there are none.
   */
  rejectRate: number | undefined;
  /**
   * Metrics in the order in which they are shown: of answers, of the judge, of passages, then of
   * chains.
   */
  metrics: MetricFigures[];
  /** Number of answers with scores from before the run was scored again. */
  outdated: number;
  /** Number of answers that were sampled again because they were unreadable. */
  resampled: number;
  /** Number of answers without a score, with an example of the reason, by metric. */
  unscored: Record<string, UnscoredAnswers>;
  /** Usage of the calls that led to the current answers. */
  usage: Usage;
  /**
   * Usage of attempts whose answers were replaced, and of attempts without an answer that were
   * cancelled or stopped by a failure that affects every question; not part of `usage`.
   */
  earlier: Usage;
  /** Usage of the judge; not part of `usage`. Undefined without a judge. */
  judging: Usage | undefined;
  /** Number of searches over all questions. */
  retrievals: number;
  /** Usage by step. */
  steps: StepFigures[];
  /**
   * Seconds from the start of a question to its end, waits included; undefined if none is known.
   */
  durations: Durations | undefined;
  /**
   * Seconds during which a successful attempt of a question was running; undefined if none is
   * known.
   */
  working: Durations | undefined;
  /** Failures by type and step, most frequent first. */
  failures: FailureCount[];
  /** Number of questions with a flag, by kind. */
  flags: Partial<Record<Flag['kind'], number>>;
  /** Number of questions by the build of the workflows that finished them, if known. */
  builds: Record<string, number>;
}

/** The figures that are counted answer by answer. */
type Counted = Omit<RunFigures, 'durations' | 'metrics' | 'rejectRate' | 'steps' | 'working'>;

/** Sums up the figures of a run while its answers are added one by one; `figures` returns them. */
export class RunTally {
  private readonly scores: ScoreTables;
  private readonly steps = new Map<string, StepFigures>();
  private readonly seconds: number[] = [];
  private readonly working: number[] = [];
  private readonly counted: Counted;

  /**
   * @param repeats Manifests of repeats, whose answers are added as well.
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
      usage: NO_USAGE,
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
    counted.unscored = countReasons(counted.unscored, unscoredReasons(answer));
    if (answer.earlier) counted.earlier = addUsage(counted.earlier, answer.earlier);
    if (outcome === 'failed') counted.failures = addFailure(counted.failures, failureOf(answer));
  }

  private countJudging({ judgement }: RunAnswer): void {
    for (const usage of [judgement?.usage, judgement?.earlier]) {
      if (usage) this.counted.judging = addUsage(this.counted.judging ?? NO_USAGE, usage);
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

/** Reads all answers of a run, and returns its figures. */
export async function figuresOf(run: RunSource): Promise<RunFigures> {
  const tally = new RunTally(run.manifest);
  for await (const { question, answer } of answersOf(run)) tally.add(question, answer);
  return tally.figures();
}

/**
 * Returns the recorded failure of a question: `type`, `message` and `step` (null if it was in no
 * step). If none is recorded, one of type Unexpected with an empty message.
 */
export function failureOf({ failure, result }: RunAnswer) {
  return failure ?? result?.failure ?? { type: 'Unexpected', message: '', step: null };
}

/**
 * Returns the seconds from the start of a question to its end, waits included; null for an imported
 * answer.
 */
export function secondsOf({ startedAt, endedAt, result }: RunAnswer): number | null {
  if (result?.usage.answersWithoutUsage !== undefined) return null;
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
}

/** Returns the figures of a run in one metric, by its name; undefined if it has none. */
export function metricFigures({ metrics }: RunFigures, metric: string): MetricFigures | undefined {
  return metrics.find((figures) => figures.metric === metric);
}
