/** The interval of a weighted sum of figures that were found apart from each other. Pure. */
import type { Interval } from './score-interval.js';

/** A figure of a sum, with its interval and the weight that it has. */
export interface Term extends Interval {
  weight: number;
}

/**
 * Returns a weighted sum with its interval: as far from the sum as the ends of the terms are together,
 * if these err apart from each other. A figure without an interval has itself for both ends, so it
 * counts as certain. Weights of 1 and -1 give a difference, weights of 1/n a mean.
 *
 * Source: Zou and Donner, Statistics in Medicine 27 (2008) 1693-1702.
 *
 * @example sumInterval([{ mean: 0.5, low: 0.4, high: 0.6, weight: 1 }]) // 0.4 to 0.6
 */
export function sumInterval(terms: readonly Term[]): Interval {
  let [mean, below, above] = [0, 0, 0];
  for (const { mean: figure, low, high, weight } of terms) {
    mean += weight * figure;
    const [less, more] = [weight * (figure - low), weight * (high - figure)];
    below += (weight < 0 ? more : less) ** 2;
    above += (weight < 0 ? less : more) ** 2;
  }
  return { mean, low: mean - Math.sqrt(below), high: mean + Math.sqrt(above) };
}
