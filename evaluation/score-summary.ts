/** The scores of a run, with failures counted as wrong and with failures left out. */
import type { Outcome } from '../core/result.js';
import { type Interval, weightedInterval } from './statistics/score-interval.js';

/** How a question ended, and its score in one metric. */
export interface ScoredQuestion {
  outcome: Outcome;
  /** Score in one metric; null if there is nothing to score. */
  score: number | null;
  /** Cluster whose questions count as one draw; absent if it is its own. */
  cluster?: string | undefined;
}

/** A mean score with its interval, and the number of questions in it. */
export interface MeanScore extends Interval {
  questions: number;
}

/** The means of one metric over the questions of a run that the metric applies to. */
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
    /** Mean over all questions, see `countedScore`; undefined if there are none. */
    all: over('answered', 'unknown', 'unreadable', 'failed'),
    /** Without failed questions. Unreadable ones count as 0, since they are the method's fault. */
    withoutFailed: over('answered', 'unknown', 'unreadable'),
    answered: over('answered'),
  };
}

/**
 * Returns the score that a question counts: its own if it was answered; that of "unknown", which is
 * 0 unless that is right (see `scoreEnded`); otherwise 0.
 */
export function countedScore({ outcome, score }: ScoredQuestion): number {
  return outcome === 'answered' || outcome === 'unknown' ? (score ?? 0) : 0;
}

/**
 * Reject rate: share of the questions that ended as unknown, the failed ones left out. Undefined
 * when nothing is left.
 *
 * Source: Chain-of-Note (Yu et al., 2023), section 4.1.
 */
export function rejectRate(outcomes: Readonly<Record<Outcome, number>>): number | undefined {
  const { answered, unknown, unreadable } = outcomes;
  const asked = answered + unknown + unreadable;
  return asked === 0 ? undefined : unknown / asked;
}
