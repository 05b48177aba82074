interface Corrected {
  /** p held against the level as if it were alone. */
  corrected: number;
  /**
   * The level of all of these tests together: p is below it if and only if `corrected` is below the
   * level that was asked for.
   */
  level: number;
}

/**
 * The p-values of tests corrected for there being several, by test: the chance of one wrong finding
 * among all of them stays below the level that each is held against. The smallest of m is held
 * against level / m, the next against level / (m - 1), up to the first that is not below. That level
 * divides all of them as the procedure does, so intervals are drawn at it.
 *
 * Source: Holm, A simple sequentially rejective multiple test procedure, 1979. Intervals at that
 * level: Strassburger and Bretz, Statistics in Medicine 27, 2008.
 *
 * @param missing Tests of the same family whose p is not known. They count as the largest ones, so
 *   that nothing is found that would not be found with them.
 * @throws RangeError when one is no probability.
 * @example holm([{ p: 0.01 }, { p: 0.04 }], 0.05) // corrected 0.02 and 0.04
 */
export function holm<T extends { p: number }>(
  tests: readonly T[],
  level: number,
  missing = 0,
): Map<T, Corrected> {
  if (!tests.every(({ p }) => p >= 0 && p <= 1)) {
    throw new RangeError('A p-value lies between 0 and 1.');
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
