/** Whether two runs differ on the same questions, for scores of any kind. */
import { seededRandom } from '../random.js';
import { type Interval, meanInterval } from './score-interval.js';

export interface TestOptions {
  /** Needed: the same seed gives the same p. */
  seed: string | number;
  /** Random assignments, where there are too many to try all. @default 9999 */
  draws?: number;
}

export interface PairedDifference extends Interval {
  /** Two-sided: how often a difference as large comes about when there is none. */
  p: number;
}

/** With no more questions on which the runs differ, all assignments are tried: 65,536 at most. */
const EXACT = 16;

/**
 * The mean difference first - second with its 95 % interval, and p: if the two runs are alike, then
 * on each question the two scores could as well have come the other way round; p is the share of
 * all those assignments whose difference is at least as large. With many questions so many are
 * drawn, and the observed one is counted in, so that p is never 0. Changing the order of the
 * questions changes nothing; exchanging the runs changes the signs only.
 *
 * It holds its level for any number of questions: below six no difference can be shown.
 *
 * Source: Fisher, The Design of Experiments, 1935, section 21; Phipson and Smyth 2010 for
 * counting the observed one.
 *
 * @throws RangeError when the runs are not of the same questions, or of none.
 */
export function pairedPermutation(
  first: readonly number[],
  second: readonly number[],
  options: TestOptions,
): PairedDifference {
  if (first.length !== second.length) {
    throw new RangeError(`${first.length} scores cannot be paired with ${second.length}.`);
  }
  const differences = first.map((score, i) => score - (second[i] ?? Number.NaN));
  return { ...differenceInterval(differences), p: signFlipP(differences, options) };
}

/** Differences lie between -1 and 1, and halfway is none. */
function differenceInterval(differences: readonly number[]): Interval {
  const { low, high } = meanInterval(differences.map((difference) => (1 + difference) / 2));
  return { mean: sumOf(differences) / differences.length, low: 2 * low - 1, high: 2 * high - 1 };
}

function signFlipP(differences: readonly number[], { seed, draws = 9999 }: TestOptions): number {
  const sizes = Float64Array.from(differences, Math.abs)
    .filter((size) => size > 0)
    .sort();
  const observed = Math.abs(sumOf(differences));
  // Rounding must not decide whether a sum is as large.
  const large = observed - 1e-9;
  if (sizes.length <= EXACT) {
    const sums = allSums(sizes);
    return sums.filter((sum) => Math.abs(sum) >= large).length / sums.length;
  }
  const random = seededRandom(`permutation/${seed}`);
  let asLarge = 1;
  for (let draw = 0; draw < draws; draw++) {
    if (Math.abs(randomSum(sizes, random)) >= large) asLarge++;
  }
  return asLarge / (1 + draws);
}

/** The same for any order. */
function sumOf(differences: readonly number[]): number {
  return Float64Array.from(differences)
    .sort()
    .reduce((sum, difference) => sum + difference, 0);
}

/** With each of the numbers added or taken away, in every combination. */
function allSums(sizes: Float64Array): Float64Array {
  let sums = Float64Array.of(0);
  for (const size of sizes) {
    const next = new Float64Array(2 * sums.length);
    next.set(sums.map((sum) => sum + size));
    next.set(
      sums.map((sum) => sum - size),
      sums.length,
    );
    sums = next;
  }
  return sums;
}

/** Each number added or taken away by chance; one random number decides on 32 of them. */
function randomSum(sizes: Float64Array, random: () => number): number {
  let sum = 0;
  let coins = 0;
  for (let i = 0; i < sizes.length; i++) {
    if (i % 32 === 0) coins = Math.floor(random() * 2 ** 32) | 0;
    const size = sizes[i] ?? 0;
    sum += coins & 1 ? size : -size;
    coins >>= 1;
  }
  return sum;
}
