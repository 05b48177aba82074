/** Correction for several comparisons. */

/**
 * The p-values corrected for there being several, in their order: the chance of one wrong finding
 * among all of them stays below the level that each is held against.
 *
 * Source: Holm, A simple sequentially rejective multiple test procedure, 1979.
 *
 * @throws RangeError when one is no probability.
 * @example holm([0.01, 0.04]) // [0.02, 0.04]
 */
export function holm(pValues: readonly number[]): number[] {
  if (!pValues.every((p) => p >= 0 && p <= 1)) {
    throw new RangeError('A p-value lies between 0 and 1.');
  }
  const ascending = pValues.map((p, position) => ({ p, position })).sort((a, b) => a.p - b.p);
  const corrected = pValues.map(() => 1);
  let least = 0;
  for (const [rank, { p, position }] of ascending.entries()) {
    least = Math.max(least, Math.min(1, p * (pValues.length - rank)));
    corrected[position] = least;
  }
  return corrected;
}
