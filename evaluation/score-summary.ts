/** Mean scores of a run, with failures counted as wrong and with failures left out. */
import type { Outcome } from '../core/result.js';
import { type Interval, weightedInterval } from './statistics/score-interval.js';

/** The outcome of a question, and its score in one metric. */
interface ScoredQuestion {
  outcome: Outcome;
  /** Score in one metric, from 0 to 1; null if there is no answer to score. */
  score: number | null;
  /** Cluster, whose questions count as one draw; undefined if the question is its own. */
  cluster?: string | undefined;
}

/**
 * A mean score from 0 to 1 with its 95 % interval, and the number of questions over which it is
 * taken.
 */
export interface MeanScore extends Interval {
  questions: number;
}

/**
 * Returns the mean scores of one metric with their 95 % intervals: over all questions (`all`),
 * without the failed ones (`withoutFailed`), and over the answered ones alone (`answered`). A mean
 * over no questions is undefined.
 *
 * @param questions The questions to which the metric applies.
 */
export function summarizeScores(questions: readonly ScoredQuestion[]) {
  const over = (...kept: Outcome[]): MeanScore | undefined => {
    const own = questions.filter(({ outcome }) => kept.includes(outcome));
    if (own.length === 0) return undefined;
    const scores = new Map(own.map((question, i) => [String(i), countedScore(question)]));
    const clusters = own.some(({ cluster }) => cluster !== undefined)
      ? new Map(own.map(({ cluster = '' }, i) => [String(i), cluster]))
      : undefined;
    return { questions: own.length, ...weightedInterval(scores, undefined, clusters) };
  };
  return {
    /** Mean over all questions, see `countedScore`; undefined without any. */
    all: over('answered', 'unknown', 'unreadable', 'failed'),
    /** Mean without failed questions. Unreadable answers count as 0, since they are the method's fault. */
    withoutFailed: over('answered', 'unknown', 'unreadable'),
    answered: over('answered'),
  };
}

/**
 * Returns the score with which a question counts in a mean: its own if it was answered or the
 * answer is "unknown", otherwise 0. For "unknown" it is usually 0; see `scoreEnded`.
 */
export function countedScore({ outcome, score }: ScoredQuestion): number {
  return outcome === 'answered' || outcome === 'unknown' ? (score ?? 0) : 0;
}

/**
 * Returns the reject rate: the number of questions with the outcome unknown as a fraction of all
 * that did not fail. Undefined if there are none.
 *
 * Source: Chain-of-Note (Yu et al., 2023), section 4.1.
 *
 * @param outcomes Number of questions by outcome.
 */
export function rejectRate(outcomes: Readonly<Record<Outcome, number>>): number | undefined {
  const { answered, unknown, unreadable } = outcomes;
  const asked = answered + unknown + unreadable;
  return asked === 0 ? undefined : unknown / asked;
}
