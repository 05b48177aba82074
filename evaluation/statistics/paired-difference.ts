/**
 * The paired test of the difference of two methods on the same questions, with its interval. Pure.
 */

import type { RatioPart } from '../../core/metric.js';
import { criticalValue, twoSidedTail } from './distributions.js';
import {
  type Interval,
  type MeanEstimate,
  ratioEstimate,
  wilsonInterval,
} from './score-interval.js';

/**
 * A mean difference of scores, first minus second, from -1 to 1, with its effective number of
 * questions and its p-value.
 */
export interface PairedDifference extends MeanEstimate {
  /**
   * Two-sided p-value: the significance level at which the interval ends at the tested difference.
   */
  p: number;
  /** Degrees of freedom of Student's distribution; undefined uses the normal distribution. */
  freedom?: number;
}

/** The paired significance test for reports: its name, and the reference to cite. */
export const PAIRED_TEST = {
  name: 'paired score test (McNemar) with the variance of Bonett and Price',
  reference: 'Bonett and Price, Journal of Educational and Behavioral Statistics 37 (2012) 479-488',
} as const;

/** Significance level of a whole family of tests: 5 %, as a fraction. */
export const LEVEL = 0.05;

/**
 * Returns the weighted mean of paired differences, from -1 to 1, with the p-value of its test and
 * the effective number of questions.
 *
 * The test is the score test that Wilson's interval inverts, on (1 + difference) / 2, with a
 * variance that counts one more difference of -1 and one of 1 than there are. So p and the interval
 * never contradict each other, at any level, and nothing is drawn at random. On scores of 0 and 1
 * it is McNemar's test with one more question on either side. It keeps its level if both are equal,
 * also for graded scores and down to levels of 0.003 (simulated in calibration.test.ts).
 *
 * Source: McNemar, Psychometrika 1947; Wilson, JASA 1927; the variance after Bonett and Price, see
 * `PAIRED_TEST`.
 *
 * @param parts For each question, its weight as `whole` and its weighted difference, from -whole to
 * whole, as `part`. For a cluster, the sums over its questions.
 * @param tested Mean difference of the null hypothesis. @default 0
 * @param freedom Degrees of freedom for clusters. @default the normal distribution
 * @throws RangeError if there are no parts.
 */
export function pairedDifference(
  parts: readonly RatioPart[],
  tested = 0,
  freedom?: number,
): PairedDifference {
  const halves = parts.map(({ part, whole }) => ({ part: (whole + part) / 2, whole }));
  const { count } = ratioEstimate(halves);
  // Sorted, so that equal differences have the same sum to the last digit.
  const sumOf = (values: readonly number[]) =>
    Float64Array.from(values)
      .sort()
      .reduce((total, value) => total + value, 0);
  const mean = sumOf(parts.map(({ part }) => part)) / sumOf(parts.map(({ whole }) => whole));
  const found = { mean, count, ...(freedom !== undefined && { freedom }) };
  return { ...found, p: pairedTail(found, tested) };
}

/**
 * Returns the two-sided p-value of a mean difference with its effective number of questions, under
 * the null hypothesis that the mean is `tested` (the paired score test of `pairedDifference`).
 */
export function pairedTail(
  { mean, count, freedom }: Omit<PairedDifference, 'p'>,
  tested: number,
): number {
  return twoSidedTail(Math.sqrt(count / (1 - tested ** 2)) * (mean - tested), freedom);
}

/**
 * Returns the differences, first minus second, of two equally long lists of scores, as objects of
 * the difference (`part`) and its weight 1 (`whole`), the form that `pairedDifference` takes.
 *
 * @throws RangeError if the lists differ in length.
 */
export function differencesOf(first: readonly number[], second: readonly number[]): RatioPart[] {
  if (first.length !== second.length) {
    throw new RangeError(`${first.length} scores cannot be paired with ${second.length}.`);
  }
  return first.map((score, i) => ({ part: score - (second[i] ?? Number.NaN), whole: 1 }));
}

/**
 * Returns a mean difference, given with its effective number of questions, together with the
 * interval of those means that the test does not reject at a significance level, all from -1 to 1.
 */
export function differenceInterval(
  { mean, count, freedom }: MeanEstimate & { freedom?: number },
  level: number,
): Interval {
  const { low, high } = wilsonInterval(
    { mean: (1 + mean) / 2, count },
    criticalValue(level, freedom),
  );
  return { mean, low: 2 * low - 1, high: 2 * high - 1 };
}
