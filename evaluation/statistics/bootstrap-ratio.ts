/** How sure a ratio of two sums over questions is. */
import { seededRandom } from '../random.js';
import type { BootstrapOptions, Interval } from './bootstrap.js';
import { quantile } from './quantile.js';

/** What a question adds to both sums. */
export interface Part {
  part: number;
  /** More than 0. */
  whole: number;
}

/**
 * The sum of the parts over the sum of the wholes, with its percentile interval over resampled
 * questions. The order of the questions does not matter.
 *
 * @throws RangeError when there is no question.
 */
export function bootstrapRatio(
  questions: readonly Part[],
  { seed, resamples = 1000, confidence = 0.95 }: BootstrapOptions,
): Interval {
  if (questions.length === 0) throw new RangeError('There is no ratio of no values.');
  const sorted = questions.toSorted((a, b) => a.part - b.part || a.whole - b.whole);
  const random = seededRandom(`bootstrap/${seed}`);
  const ratios = Float64Array.from({ length: resamples }, () =>
    ratioOf(sorted.length, () => sorted[Math.floor(random() * sorted.length)]),
  ).sort();
  const tail = (1 - confidence) / 2;
  let place = 0;
  return {
    mean: ratioOf(sorted.length, () => sorted[place++]),
    low: quantile(ratios, tail),
    high: quantile(ratios, 1 - tail),
  };
}

function ratioOf(count: number, next: () => Part | undefined): number {
  let [parts, wholes] = [0, 0];
  for (let i = 0; i < count; i++) {
    const { part, whole } = next() ?? { part: 0, whole: 0 };
    parts += part;
    wholes += whole;
  }
  return parts / wholes;
}
