/** Tests a tune's finalists on half B, which is the only result that a tune claims. Pure. */
import type { Goal } from '../../core/tune/tune.js';
import { compareScores, type Scores } from '../statistics/compare-scores.js';
import { holm } from '../statistics/holm.js';
import { differenceInterval, LEVEL, pairedTail } from '../statistics/paired-difference.js';
import type { Interval } from '../statistics/score-interval.js';

/** A candidate to confirm, with its scores on half B by question id. */
interface Finalist {
  id: string;
  scores: Scores;
}

/**
 * The result of a finalist of a tune on half B of the questions, compared with the start, the
 * pipeline that is tuned: the difference of the mean scores as a fraction with its interval, the
 * p-value before and after correction, and whether the goal is shown.
 */
export interface FinalistResult {
  /** Id of the candidate. */
  id: string;
  /** Number of questions in the comparison. */
  questions: number;
  /** Number of questions whose score differs from that of the start. */
  changed: number;
  /**
   * Mean score of the finalist minus that of the start, as a fraction. The lower end is that of the
   * one-sided test at the corrected level, so it is above the tested difference if and only if
   * `isShown`.
   */
  difference: Interval;
  /** One-sided p-value, uncorrected. */
  p: number;
  /** One-sided p-value, corrected by Holm over the finalists. */
  corrected: number;
  /** Whether the finalist is shown to be better or, with a margin, to lose less than it. */
  isShown: boolean;
}

/** Options of the comparison with the start: clusters, weights, and the level of the test. */
interface ConfirmOptions {
  /** Cluster of each question, by question id. */
  clusters?: ReadonlyMap<string, string> | undefined;
  /** Weight of each question in the mean, by question id. @default 1 each */
  wholes?: Scores | undefined;
  /** Probability of any wrong claim. @default 0.05 */
  level?: number | undefined;
}

/**
 * Returns an array of the results of the finalists, in their order: each is compared with the
 * start, the pipeline that is tuned, question by question, by a one-sided test that is corrected
 * by Holm.
 *
 * The test is `pairedDifference` with two corrections, without which it would claim too often if
 * every change is a loss: half a question less is counted for the finalist (Yates, 1934), and for
 * answers that are right or wrong the variance is at least that of a finalist that loses exactly
 * the margin.
 *
 * @param start Scores of the start on half B, by question id.
 * @throws RangeError for a finalist that has no question in common with the start.
 */
export function confirmFinalists(
  finalists: readonly Finalist[],
  start: Scores,
  { margin }: Goal,
  { level = LEVEL, ...options }: ConfirmOptions = {},
): FinalistResult[] {
  const tests = finalists.map(({ id, scores }) => {
    const compared = compareScores(scores, start, options);
    const { questions, changed, draws, rightOnly } = compared;
    const step = 1 / (2 * questions);
    const tested = step - margin;
    const isYesNo = rightOnly !== undefined && options.clusters === undefined;
    const most = tested < 0 && isYesNo ? (draws * (1 - tested)) / -tested : Infinity;
    const difference = { ...compared.difference, count: Math.min(compared.difference.count, most) };
    const half = pairedTail(difference, tested) / 2;
    const p = difference.mean > tested ? half : 1 - half;
    return { id, questions, changed, step, difference, p };
  });
  const held = holm(tests, level);
  return tests.map((test) => {
    const { id, questions, changed, step, p } = test;
    const { corrected = 1, level: at = level } = held.get(test) ?? {};
    // The interval is two-sided, the test one-sided.
    const { mean, low, high } = differenceInterval(test.difference, 2 * at);
    const difference = { mean, low: Math.max(-1, low - step), high: Math.min(1, high + step) };
    return { id, questions, changed, difference, p, corrected, isShown: corrected < level };
  });
}
