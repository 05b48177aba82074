/** How sure a mean over questions is: the percentile interval of bootstrap resamples. */
import { seededRandom } from '../random.js';
import { mean, quantile } from './quantile.js';

export interface BootstrapOptions {
  /** Needed: the same seed gives the same interval. */
  seed: string | number;
  /** @default 1000, as in the SuRe paper. */
  resamples?: number;
  /** @default 0.95 */
  confidence?: number;
}

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/**
 * The mean and its interval. The order of the values does not matter, and the interval of the
 * negated values is the mirror image.
 *
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
 *
 * @throws RangeError when there is no value.
 * @example bootstrapInterval([1, 0, 0, 1], { seed: 0 }) // { mean: 0.5, low: 0, high: 1 }
 */
export function bootstrapInterval(
  values: readonly number[],
  { seed, resamples = 1000, confidence = 0.95 }: BootstrapOptions,
): Interval {
  const means = resampledMeans(values, seed, resamples).toSorted();
  const tail = (1 - confidence) / 2;
  const [low, high] = [quantile(means, tail), quantile(means, 1 - tail)];
  const { sign, magnitudes, mirrored } = oriented(values);
  // Values that are their own mirror image have an interval that is.
  if (mirrored) return { mean: 0, low: 0 - (high - low) / 2, high: (high - low) / 2 };
  return { mean: signed(sign, mean(magnitudes)), low, high };
}

/** Means of samples of the same size, drawn with replacement. */
export function resampledMeans(
  values: readonly number[],
  seed: string | number,
  resamples: number,
): Float64Array {
  const { sign, magnitudes } = oriented(values);
  const random = seededRandom(`bootstrap/${seed}`);
  const size = magnitudes.length;
  return Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += magnitudes[Math.floor(random() * size)] ?? 0;
    return signed(sign, sum / size);
  });
}

interface Oriented {
  sign: 1 | -1;
  /** Ascending. */
  magnitudes: Float64Array;
  /** The negated values are the same values. */
  mirrored: boolean;
}

/**
 * The values or their negatives, sorted: the same numbers for any order of the values, and for
 * the negated values too, so that which of two runs comes first does not change the resamples.
 */
function oriented(values: readonly number[]): Oriented {
  const plain = Float64Array.from(values).sort();
  const negated = plain.map((value) => -value).reverse();
  const differs = plain.findIndex((value, i) => value !== negated[i]);
  const swap = differs !== -1 && (plain[differs] ?? 0) < (negated[differs] ?? 0);
  const mirrored = differs === -1 && plain.length > 0;
  return swap
    ? { sign: -1, magnitudes: negated, mirrored }
    : { sign: 1, magnitudes: plain, mirrored };
}

/** Without a negative zero. */
function signed(sign: 1 | -1, value: number): number {
  return sign * value + 0;
}
