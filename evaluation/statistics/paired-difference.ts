/**
 * Tests whether two, asked the same questions, differ: one test and its interval, for scores of any
 * kind.
 */

import type { RatioPart } from '../../core/metric.js';
import { deviationOf, twoSidedTail } from './distributions.js';
import { type Interval, ratioSureness, type Sureness, wilson } from './score-interval.js';

/** The mean difference, first minus second, from -1 to 1, and how sure it is. */
export interface PairedDifference extends Sureness {
  /**
   * Two-sided p-value: the level at which the interval of the difference ends at the tested value.
   */
  p: number;
  /** Degrees of freedom of the error; left out if it counts as known. */
  freedom?: number;
}

/** Name and citation of the test. */
export const PAIRED_TEST = {
  name: 'paired score test (McNemar) with the variance of Bonett and Price',
  reference: 'Bonett and Price, Journal of Educational and Behavioral Statistics 37 (2012) 479-488',
} as const;

/** The level that a p is held against. */
export const LEVEL = 0.05;

/**
 * Tests the mean of paired differences: their sum over the sum of the wholes. Each difference is
 * from -whole to whole of its question; whole is 1 if scores count the same, and the number of
 * questions for a cluster.
 *
 * The test is the score test that Wilson's interval inverts, on (1 + difference) / 2, with a
 * variance that counts one difference of -1 and one of 1 more than there are. So p and the interval
 * never contradict each other, at any level, and nothing is drawn at random. On scores of 0 and 1
 * it is McNemar's test with one more question on either side. It holds its level if both are alike,
 * also for graded scores and down to levels of 0.003 (simulated in calibration.test.ts).
 *
 * Source: McNemar, Psychometrika 1947; Wilson, JASA 1927; the variance after Bonett and Price, see
 * `PAIRED_TEST`.
 *
 * @param parts Difference of each question as `part`, its weight as `whole`.
 * @param tested Mean difference that p refers to. @default 0
 * @param freedom Degrees of freedom of the error for clusters; for questions it counts as known.
 * @throws RangeError if there is no part.
 */
export function pairedDifference(
  parts: readonly RatioPart[],
  tested = 0,
  freedom?: number,
): PairedDifference {
  const halves = parts.map(({ part, whole }) => ({ part: (whole + part) / 2, whole }));
  const { count } = ratioSureness(halves);
  // Sorted, so that equal differences have the same sum to the last digit.
  const sumOf = (values: readonly number[]) =>
    Float64Array.from(values)
      .sort()
      .reduce((total, value) => total + value, 0);
  const mean = sumOf(parts.map(({ part }) => part)) / sumOf(parts.map(({ whole }) => whole));
  const found = { mean, count, ...(freedom !== undefined && { freedom }) };
  return { ...found, p: pairedTail(found, tested) };
}

/** Returns the two-sided p of a mean difference against the one that is tested. */
export function pairedTail(
  { mean, count, freedom }: Omit<PairedDifference, 'p'>,
  tested: number,
): number {
  return twoSidedTail(Math.sqrt(count / (1 - tested ** 2)) * (mean - tested), freedom);
}

/**
 * Returns the differences of scores that count the same, first minus second.
 *
 * @throws RangeError if there are not as many of both.
 */
export function differencesOf(first: readonly number[], second: readonly number[]): RatioPart[] {
  if (first.length !== second.length) {
    throw new RangeError(`${first.length} scores cannot be paired with ${second.length}.`);
  }
  return first.map((score, i) => ({ part: score - (second[i] ?? Number.NaN), whole: 1 }));
}

/** The differences that the test does not refuse at this level. */
export function differenceInterval(
  { mean, count, freedom }: Sureness & { freedom?: number },
  level: number,
): Interval {
  const { low, high } = wilson({ mean: (1 + mean) / 2, count }, deviationOf(level, freedom));
  return { mean, low: 2 * low - 1, high: 2 * high - 1 };
}
