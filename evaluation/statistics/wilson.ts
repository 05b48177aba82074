/** How sure a mean is while the questions still come in: an interval from sums alone. */
import type { Interval } from './bootstrap.js';

/** The normal quantile of a 95 % interval. */
const Z = 1.96;

/**
 * Wilson's score interval of a mean of scores from 0 to 1, at 95 %. Exact in its aim for scores
 * that are 0 or 1; for scores between it is wider than need be, never narrower.
 *
 * Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 1927.
 *
 * @throws RangeError when there is no score.
 */
export function wilsonInterval(sum: number, count: number): Interval {
  if (count <= 0) throw new RangeError('An interval needs at least one score.');
  const mean = sum / count;
  const shrink = 1 + Z ** 2 / count;
  const centre = (mean + Z ** 2 / (2 * count)) / shrink;
  const half = (Z / shrink) * Math.sqrt((mean * (1 - mean)) / count + Z ** 2 / (4 * count ** 2));
  return { mean, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
