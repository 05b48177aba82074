/** What half B says of the finalists of a tune: the only thing that a tune claims. Pure. */
import type { Goal } from '../../core/tune/tune.js';
import { compareScores, type Scores } from '../statistics/compare-scores.js';
import { holm } from '../statistics/holm.js';
import { differenceInterval, LEVEL, pairedTail } from '../statistics/paired-difference.js';
import type { Interval } from '../statistics/score-interval.js';

/** The scores of a finalist on half B, by question. */
interface Finalist {
  id: string;
  scores: Scores;
}

/** A finalist of a tune, as half B of the questions shows it. */
export interface Confirmed {
  /** Id of the candidate. */
  id: string;
  /** Questions that it was compared on, and those of them whose score is another one. */
  questions: number;
  changed: number;
  /**
   * The finalist less the start. The lower end is what the one-sided test does not refuse, at the
   * level of all finalists together, so it lies above what is tested exactly if that is shown.
   */
  difference: Interval;
  /** One-sided, and corrected by Holm over the finalists. */
  p: number;
  corrected: number;
  /** Whether it is shown to be better, or to lose less than the margin. */
  isShown: boolean;
}

/** How finalists are compared with the start. */
interface ConfirmOptions {
  /** The cluster of each question, by id. */
  clusters?: ReadonlyMap<string, string> | undefined;
  /** What each question counts in the mean. @default 1 */
  wholes?: Scores | undefined;
  /** Chance of any wrong claim. @default 0.05 */
  level?: number | undefined;
}

/**
 * Compares each finalist with the start, question by question: one-sided, corrected by Holm.
 *
 * The test is `pairedDifference` with two corrections, without which it would claim too often if all
 * that changes is lost: half a question less is counted for the finalist (Yates, 1934), and of answers
 * that are right or wrong the variance is at least that of a finalist that loses just the margin.
 *
 * @throws RangeError for a finalist that has no question in common with the start.
 */
export function confirmed(
  finalists: readonly Finalist[],
  start: Scores,
  { margin }: Goal,
  { level = LEVEL, ...options }: ConfirmOptions = {},
): Confirmed[] {
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
    // An interval has two sides, of which the test looks at one.
    const { mean, low, high } = differenceInterval(test.difference, 2 * at);
    const difference = { mean, low: Math.max(-1, low - step), high: Math.min(1, high + step) };
    return { id, questions, changed, difference, p, corrected, isShown: corrected < level };
  });
}
