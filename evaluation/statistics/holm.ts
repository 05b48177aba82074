/** Holm's correction of the p-values of several tests. Pure. */
interface Corrected {
  /** The corrected p-value, from 0 to 1, to be compared with the level of the whole family. */
  corrected: number;
  /**
   * Significance level of a single test and its interval, the same for all tests of the family. A
   * test's own p is below it if and only if `corrected` is below the level of the whole family.
   */
  level: number;
}

/**
 * Returns Holm's correction of a family of tests, as a map from each test to an object of its
 * corrected p-value (`corrected`) and the significance level of its interval (`level`). The chance
 * of one or more wrong findings in the whole family stays below `level`.
 *
 * The smallest p of m is compared with level / m, the next with level / (m - 1), and so on up to
 * the first p that is not below. The level of that last comparison separates the findings from the
 * other tests, so it is the level of the intervals of all of them.
 *
 * Source: Holm, A simple sequentially rejective multiple test procedure, 1979. Intervals at that
 * level: Strassburger and Bretz, Statistics in Medicine 27, 2008.
 *
 * @param level Level of the whole family, such as 0.05.
 * @param missing Number of tests of the family whose p is unknown. Each is taken to be larger than
 * all known ones, so no finding depends on them.
 * @throws RangeError if a p is not between 0 and 1.
 * @example holm([{ p: 0.01 }, { p: 0.04 }], 0.05) // corrected: 0.02 and 0.04
 */
export function holm<T extends { p: number }>(
  tests: readonly T[],
  level: number,
  missing = 0,
): Map<T, Corrected> {
  if (!tests.every(({ p }) => p >= 0 && p <= 1)) {
    throw new RangeError('A p-value must be from 0 to 1.');
  }
  const corrected = new Map<T, number>();
  let [least, last] = [0, level];
  for (const [rank, test] of tests.toSorted((a, b) => a.p - b.p).entries()) {
    const left = tests.length + missing - rank;
    if (least < level) last = level / left;
    least = Math.max(least, Math.min(1, test.p * left));
    corrected.set(test, least);
  }
  return new Map(
    [...corrected].map(([test, p]): [T, Corrected] => [test, { corrected: p, level: last }]),
  );
}
