/** The test of a tune's finalists on half B, the only result that a tune claims. Pure. */
import type { Goal } from '../../core/tune/tune.js';
import { compareScores, type Scores } from '../statistics/compare-scores.js';
import { holm } from '../statistics/holm.js';
import { differenceInterval, LEVEL, pairedTail } from '../statistics/paired-difference.js';
import type { Interval } from '../statistics/score-interval.js';

/** The scores of a finalist on half B, by question id. */
interface Finalist {
  id: string;
  scores: Scores;
}

/** The result of a finalist on half B, compared with the start. */
export interface FinalistResult {
  /** Id of the candidate. */
  id: string;
  /** Number of questions in the comparison, and of those whose score differs from the start's. */
  questions: number;
  changed: number;
  /**
   * Score of the finalist minus that of the start. The lower end is that of the one-sided test at
   * the corrected level, so it is above the tested difference if and only if `isShown`.
   */
  difference: Interval;
  /** One-sided p-value, and the same corrected by Holm over the finalists. */
  p: number;
  corrected: number;
  /** Whether it is shown to be better, or to lose less than the margin. */
  isShown: boolean;
}

/** Options of the comparison with the start. */
interface ConfirmOptions {
  /** Cluster of each question, by question id. */
  clusters?: ReadonlyMap<string, string> | undefined;
  /** Weight of each question in the mean. @default 1 */
  wholes?: Scores | undefined;
  /** Probability of any wrong claim. @default 0.05 */
  level?: number | undefined;
}

/**
 * Returns the comparison of each finalist with the start, question by question: one-sided,
 * corrected by Holm.
 *
 * The test is `pairedDifference` with two corrections, without which it would claim too often if
 * every change is a loss: half a question less is counted for the finalist (Yates, 1934), and for
 * answers that are right or wrong the variance is at least that of a finalist that loses exactly
 * the margin.
 *
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
