export interface Corrected {
  /** p held against the level as if it were alone. */
  corrected: number;
  /** What p itself is held against: it is below where `corrected` is below the level, and only there. */
  level: number;
}

/**
 * The p-values corrected for there being several, in their order: the chance of one wrong finding
 * among all of them stays below the level that each is held against. The smallest of m is held
 * against level / m, the next against level / (m - 1), up to the first that is not below; all from
 * that one on are held against the same.
 *
 * Source: Holm, A simple sequentially rejective multiple test procedure, 1979.
 *
 * @throws RangeError when one is no probability.
 * @example holm([0.01, 0.04], 0.05).map(({ corrected }) => corrected) // [0.02, 0.04]
 */
export function holm(pValues: readonly number[], level: number): Corrected[] {
  if (!pValues.every((p) => p >= 0 && p <= 1)) {
    throw new RangeError('A p-value lies between 0 and 1.');
  }
  const ascending = pValues.map((p, position) => ({ p, position })).sort((a, b) => a.p - b.p);
  const held: Corrected[] = [];
  let [least, last] = [0, level];
  for (const [rank, { p, position }] of ascending.entries()) {
    const left = pValues.length - rank;
    if (least < level) last = level / left;
    least = Math.max(least, Math.min(1, p * left));
    held[position] = { corrected: least, level: last };
  }
  return held;
}
