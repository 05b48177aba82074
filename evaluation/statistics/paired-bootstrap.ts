/** Whether two runs differ on the same questions, for scores of any kind. */
import {
  type BootstrapOptions,
  bootstrapInterval,
  type Interval,
  resampledMeans,
} from './bootstrap.js';

export interface PairedDifference extends Interval {
  /** Two-sided: how often a difference as large comes about when there is none. */
  p: number;
}

/**
 * The mean difference first - second with its interval, and p: the share of resamples whose mean
 * is at least as far from the observed mean as that is from 0, the observed one counted in, so
 * that p is never 0. Changing the order of the questions changes nothing; exchanging the runs
 * changes the signs only.
 *
 * Source: Berg-Kirkpatrick, Burkett and Klein, EMNLP 2012 (paired bootstrap, shifted to the null
 * hypothesis); Phipson and Smyth 2010 for counting the observed one.
 *
 * @throws RangeError when the runs are not of the same questions, or of none.
 */
export function pairedBootstrap(
  first: readonly number[],
  second: readonly number[],
  options: BootstrapOptions,
): PairedDifference {
  if (first.length !== second.length) {
    throw new RangeError(`${first.length} scores cannot be paired with ${second.length}.`);
  }
  const differences = first.map((score, i) => score - (second[i] ?? Number.NaN));
  const interval = bootstrapInterval(differences, options);
  const { resamples = 1000, seed } = options;
  // Rounding must not decide whether a resample is as far away.
  const distance = Math.abs(interval.mean) - 1e-12;
  const asFar = resampledMeans(differences, seed, resamples).filter(
    (resampled) => Math.abs(resampled - interval.mean) >= distance,
  ).length;
  return { ...interval, p: (1 + asFar) / (1 + resamples) };
}
