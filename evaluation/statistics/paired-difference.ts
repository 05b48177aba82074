/** Whether two runs differ on the same questions: one test and its interval, for scores of any kind. */
import { chiSquareTail } from './chi-square.js';
import { type Interval, meanSureness, type Sureness, wilson } from './score-interval.js';

/** The mean difference, first minus second, from -1 to 1, and how sure it is. */
export interface PairedDifference extends Sureness {
  /** Two-sided: the level at which the interval of the difference ends at 0. */
  p: number;
}

/**
 * The mean difference of paired scores and p, by the score test that Wilson's interval turns round:
 * differences lie between -1 and 1, halfway is none, and how much they vary is told with one of -1
 * and one of 1 added. So p and the interval cannot contradict each other, at any level, and nothing
 * is drawn. On scores of 0 and 1 it is McNemar's test with that variance.
 *
 * It holds its level where the runs are alike, for graded scores and down to levels of 0.003 as
 * well (simulated in calibration.test.ts).
 *
 * Source: Wilson, JASA 1927; McNemar, Psychometrika 1947.
 *
 * @throws RangeError when the runs are not of the same questions, or of none.
 */
export function pairedDifference(
  first: readonly number[],
  second: readonly number[],
): PairedDifference {
  if (first.length !== second.length) {
    throw new RangeError(`${first.length} scores cannot be paired with ${second.length}.`);
  }
  const differences = first.map((score, i) => score - (second[i] ?? Number.NaN));
  const { count } = meanSureness(differences.map((difference) => (1 + difference) / 2));
  // In order, so that the same differences have the same sum to the last digit.
  const sum = Float64Array.from(differences)
    .sort()
    .reduce((so, difference) => so + difference, 0);
  const mean = sum / differences.length;
  return { mean, count, p: chiSquareTail(count * mean ** 2) };
}

/** The differences that the test does not refuse at this level. */
export function differenceInterval({ mean, count }: Sureness, level: number): Interval {
  const { low, high } = wilson({ mean: (1 + mean) / 2, count }, deviationOf(level));
  return { mean, low: 2 * low - 1, high: 2 * high - 1 };
}

/** How many standard errors a mean is off by so seldom: 1.96 for 0.05. */
function deviationOf(level: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (chiSquareTail(middle ** 2) > level) low = middle;
    else high = middle;
  }
  return high;
}
