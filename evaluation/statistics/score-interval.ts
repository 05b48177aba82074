/** Estimates means of scores and their intervals. Pure. */
import type { RatioPart } from '../../core/metric.js';
import type { ScoreSum } from '../../core/run/run.js';
import { criticalValue } from './distributions.js';

/** A mean, or another estimate, with the lower and the upper end of its interval. */
export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/** A mean of scores or of differences of scores, with its effective sample size. */
export interface MeanEstimate {
  mean: number;
  /** Number of right-or-wrong answers that would give the same certainty. */
  count: number;
}

/** The normal quantile of a 95 % interval. */
const Z = 1.96;

/**
 * Returns the mean of scores from 0 to 1 with its 95 % interval. It is Wilson's interval for the
 * effective sample size: graded scores vary less than scores of 0 or 1, so they count as more.
 * Their variance is computed with one score of 0 and one of 1 added, so that equal scores are not
 * taken for certain.
 *
 * Source: Wilson, JASA 1927; the effective number after Kish, Survey Sampling, 1965.
 *
 * @throws RangeError if there is no score.
 * @example scoreInterval({ questions: 10, sum: 5, sumOfSquares: 5 }) // 0.24 to 0.76
 */
export function scoreInterval({ questions, sum, sumOfSquares }: ScoreSum): Interval {
  return wilsonInterval(
    estimateFrom({
      questions,
      parts: sum,
      wholes: questions,
      squaredParts: sumOfSquares,
      products: sum,
      squaredWholes: questions,
    }),
  );
}

/**
 * Returns the mean of scores from 0 to 1 with its 95 % interval. @throws RangeError if there is
 * none.
 */
export function meanInterval(scores: Iterable<number>): Interval {
  return wilsonInterval(meanEstimate(scores));
}

/**
 * Returns the mean of scores with its effective sample size. @throws RangeError if there is none.
 */
function meanEstimate(scores: Iterable<number>): MeanEstimate {
  return ratioEstimate([...scores].map((part) => ({ part, whole: 1 })));
}

/**
 * Returns the sum of the parts over the sum of the wholes (`mean`), with its 95 % interval. Each
 * question is one draw, whatever its whole.
 *
 * @throws RangeError if there are no questions.
 */
export function ratioInterval(questions: readonly RatioPart[]): Interval {
  return wilsonInterval(ratioEstimate(questions));
}

/**
 * Returns the weighted mean of scores from 0 to 1, with its 95 % interval.
 *
 * @param scores Scores by question id.
 * @param wholes Weights by question id. @default 1 each
 * @param clusters Cluster by question id: see `clusteredParts`.
 * @throws RangeError if there are no scores.
 */
export function weightedInterval(
  scores: ReadonlyMap<string, number>,
  wholes?: ReadonlyMap<string, number>,
  clusters?: ReadonlyMap<string, string>,
): Interval {
  const parts = [...scores].map(([id, score]): [string, RatioPart] => {
    const whole = wholes?.get(id) ?? 1;
    return [id, { part: score * whole, whole }];
  });
  if (!clusters) return ratioInterval(parts.map(([, part]) => part));
  return clusterInterval(clusteredParts(parts, clusters));
}

/**
 * Returns a ratio of sums over clusters with its 95 % interval, by Student's distribution.
 *
 * @throws RangeError if there is no cluster.
 */
function clusterInterval(clusters: readonly RatioPart[]): Interval {
  return wilsonInterval(
    ratioEstimate(clusters),
    criticalValue(0.05, Math.max(1, clusters.length - 1)),
  );
}

/**
 * Returns the sums of parts and wholes of each cluster, since a cluster, whose questions share for
 * example a document, is one draw. Questions without a cluster come first, unchanged. The estimate
 * remains the mean over questions.
 *
 * Source: the ratio estimator of cluster samples, Cochran, Sampling Techniques (1977), chapter 9A.
 *
 * @param clusters Cluster by question id. A question without one, or with '', is a cluster of its
 * own.
 */
export function clusteredParts(
  parts: readonly (readonly [id: string, part: RatioPart])[],
  clusters?: ReadonlyMap<string, string>,
): RatioPart[] {
  const alone: RatioPart[] = [];
  const sums = new Map<string, RatioPart>();
  for (const [id, one] of parts) {
    const cluster = clusters?.get(id) ?? '';
    if (cluster === '') {
      alone.push(one);
      continue;
    }
    const sum = sums.get(cluster) ?? { part: 0, whole: 0 };
    sums.set(cluster, { part: sum.part + one.part, whole: sum.whole + one.whole });
  }
  return [...alone, ...sums.values()];
}

const NONE = { questions: 0, parts: 0, wholes: 0, squaredParts: 0, products: 0, squaredWholes: 0 };

/**
 * Returns the sum of the parts over the sum of the wholes as `mean`, with its effective sample
 * size as `count`.
 *
 * @throws RangeError if there are no questions.
 */
export function ratioEstimate(questions: readonly RatioPart[]): MeanEstimate {
  // Sorted, so that the sums of the same questions are equal to the last digit.
  const sorted = questions.toSorted((a, b) => a.part - b.part || a.whole - b.whole);
  const sums = { ...NONE, questions: sorted.length };
  for (const { part, whole } of sorted) {
    sums.parts += part;
    sums.wholes += whole;
    sums.squaredParts += part * part;
    sums.products += part * whole;
    sums.squaredWholes += whole * whole;
  }
  return estimateFrom(sums);
}

function estimateFrom(sums: typeof NONE): MeanEstimate {
  const { questions, parts, wholes, squaredParts, products, squaredWholes } = sums;
  if (questions <= 0) throw new RangeError('An interval needs at least one score.');
  const size = wholes / questions;
  const ratio = (parts + size) / (wholes + 2 * size);
  // Squared errors of the questions, plus those of an added score of 0 and one of 1.
  const off = squaredParts - 2 * ratio * products + ratio ** 2 * squaredWholes;
  const added = (ratio ** 2 + (1 - ratio) ** 2) * size ** 2;
  const variance = (off + added) / ((questions + 2) * size ** 2);
  return { mean: parts / wholes, count: (questions * ratio * (1 - ratio)) / variance };
}

/**
 * Returns Wilson's interval of a mean from 0 to 1: the values that are at most `z` standard errors
 * away.
 *
 * @param z Critical value. @default that of a 95 % interval
 */
export function wilsonInterval({ mean, count }: MeanEstimate, z = Z): Interval {
  const shrink = 1 + z ** 2 / count;
  const centre = (mean + z ** 2 / (2 * count)) / shrink;
  const spread = Math.max(0, mean * (1 - mean)) / count;
  const half = (z / shrink) * Math.sqrt(spread + z ** 2 / (4 * count ** 2));
  // Rounding must not put the mean outside.
  const [low, high] = [Math.min(mean, centre - half), Math.max(mean, centre + half)];
  return { mean, low: Math.max(0, low), high: Math.min(1, high) };
}

/** A figure with its interval and its weight in a sum. */
interface Term extends Interval {
  weight: number;
}

/**
 * Returns a weighted sum of independent figures with its interval. A figure without an interval is
 * given with itself for both ends, so it counts as certain. Weights of 1 and -1 give a difference,
 * weights of 1/n a mean.
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
