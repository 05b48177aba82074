/** The figures of one run, added up answer by answer: nothing of a question but its numbers stays. */

import type { Flag, Outcome } from '../../core/result.js';
import { addFailure, type FailureCount } from '../../core/run/failure-counts.js';
import type { Unscored } from '../../core/run/run.js';
import { countReasons } from '../../core/run/sums.js';
import { addUsage, isUsed, noUsage, sumUsage, type Usage } from '../../core/usage.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { rejectRate } from '../score-summary.js';
import { quantile } from '../statistics/quantile.js';
import { unscoredOf } from '../unscored.js';
import { outcomeOf, QUESTION_STATES, type QuestionState, stateOf } from './question-state.js';
import { type MetricFigures, ScoreTables } from './score-tables.js';
import { addSteps, type StepFigures } from './step-usage.js';

/** Seconds that questions took, their waiting for a place at the provider included. */
export interface Durations {
  median: number;
  p90: number;
  /** Of every question that came back, ascending. */
  sorted: Float64Array;
}

export interface RunFigures {
  manifest: RunManifest;
  /** Questions that have ended; the manifest says how many there are. */
  ended: number;
  outcomes: Record<Outcome, number>;
  /** The outcomes, with the answered ones told apart. */
  states: Record<QuestionState, number>;
  /** Share of the ended questions answered "unknown", the failed left out. */
  rejectRate: number | undefined;
  /** In the order shown: of answers, then of passages. */
  metrics: MetricFigures[];
  /** By metric of somebody's own the answers without a score in it. */
  unscored: Record<string, Unscored>;
  usage: Usage;
  /**
   * Of attempts whose answers later ones have replaced, and of questions that were cancelled with the
   * run; not part of `usage`.
   */
  earlier: Usage;
  /** Of the judge, where there was one; not part of `usage`. */
  judging: Usage | undefined;
  retrievals: number;
  steps: StepFigures[];
  durations: Durations | undefined;
  /** Most frequent first. */
  failures: FailureCount[];
  /** Questions with a flag of this kind. */
  flags: Partial<Record<Flag['kind'], number>>;
  /** Questions by the build of the workflows that brought them to their end, where that is known. */
  builds: Record<string, number>;
}

export class RunTally {
  private readonly scores: ScoreTables;
  private unscored: RunFigures['unscored'] = {};
  private readonly steps = new Map<string, StepFigures>();
  private failures: FailureCount[] = [];
  private readonly flags: RunFigures['flags'] = {};
  private readonly outcomes = { answered: 0, unknown: 0, unreadable: 0, failed: 0 };
  private readonly states = Object.fromEntries(
    QUESTION_STATES.map((state) => [state, 0]),
  ) as Record<QuestionState, number>;
  private readonly builds: RunFigures['builds'] = {};
  private readonly seconds: number[] = [];
  private usage: Usage = noUsage;
  private earlier: Usage;
  private judging: Usage | undefined;
  private retrievals = 0;
  private ended = 0;

  constructor(private readonly manifest: RunManifest) {
    const { metrics, stopped = [] } = manifest;
    this.scores = new ScoreTables(metrics);
    this.earlier = sumUsage(stopped.map(({ usage }) => usage));
    if (stopped.some(({ judge }) => isUsed(judge))) {
      this.judging = sumUsage(stopped.map(({ judge }) => judge));
    }
  }

  add(question: RunQuestion, answer: RunAnswer): void {
    const { result, judgement } = answer;
    this.ended++;
    this.outcomes[outcomeOf(answer)]++;
    this.states[stateOf(answer, this.manifest.metrics)]++;
    this.scores.add(question, answer);
    this.unscored = countReasons(this.unscored, unscoredOf(answer));
    if (judgement) this.judging = addUsage(this.judging ?? noUsage, judgement.usage);
    if (answer.earlier) this.earlier = addUsage(this.earlier, answer.earlier);
    this.addFailure(answer);
    if (!result) return;
    this.usage = addUsage(this.usage, result.usage);
    this.retrievals += result.retrievals;
    this.seconds.push(secondsOf(answer));
    addSteps(this.steps, result.steps);
    const { build } = result;
    if (build !== undefined) this.builds[build] = (this.builds[build] ?? 0) + 1;
    for (const kind of new Set(result.flags.map((flag) => flag.kind))) {
      this.flags[kind] = (this.flags[kind] ?? 0) + 1;
    }
  }

  figures(): RunFigures {
    const { manifest, ended, outcomes, states, usage, earlier, judging } = this;
    const { retrievals, failures, flags, builds } = this;
    const sorted = Float64Array.from(this.seconds).sort();
    return {
      manifest,
      ended,
      outcomes,
      states,
      rejectRate: rejectRate(outcomes),
      metrics: this.scores.figures(),
      unscored: this.unscored,
      usage,
      earlier,
      judging,
      retrievals,
      steps: [...this.steps.values()],
      durations:
        sorted.length === 0
          ? undefined
          : { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), sorted },
      failures,
      flags,
      builds,
    };
  }

  private addFailure(answer: RunAnswer): void {
    if (outcomeOf(answer) !== 'failed') return;
    this.failures = addFailure(this.failures, failureOf(answer));
  }
}

/** Why a question failed, wherever it is noted. */
export function failureOf({ failure, result }: RunAnswer) {
  return failure ?? result?.failure ?? { type: 'Unexpected', message: '', step: null };
}

/** How long a question took, in seconds. */
export function secondsOf({ startedAt, endedAt }: RunAnswer): number {
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
}

/** A metric of a run, by name. */
export function metricFigures({ metrics }: RunFigures, metric: string): MetricFigures | undefined {
  return metrics.find((figures) => figures.metric === metric);
}
