/** McNemar's test: whether two runs are right on the same share of the same questions. */
import { chiSquareTail } from './chi-square.js';

export interface McNemar {
  /** Questions that only the first run has right. */
  onlyFirst: number;
  /** Questions that only the second run has right. */
  onlySecond: number;
  /** Two-sided. */
  p: number;
  test: 'exact' | 'chiSquare';
}

/** With fewer questions on which the runs differ the exact test is used. */
const FEW = 25;

/**
 * Compares the questions that only one of the runs has right: by the exact binomial test when
 * they are fewer than 25, else by chi-square with Edwards' continuity correction.
 *
 * Source: McNemar 1947; Edwards 1948. For equal counts p is 1 (statsmodels keeps a remainder).
 *
 * @throws RangeError when a number is negative or not whole.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemar {
  if (![onlyFirst, onlySecond].every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError(`${onlyFirst} and ${onlySecond} are no counts of questions.`);
  }
  const discordant = onlyFirst + onlySecond;
  const test = discordant < FEW ? 'exact' : 'chiSquare';
  const apart = Math.max(0, Math.abs(onlyFirst - onlySecond) - 1);
  const p =
    test === 'exact'
      ? binomialTwoSided(Math.min(onlyFirst, onlySecond), discordant)
      : chiSquareTail(apart ** 2 / discordant);
  return { onlyFirst, onlySecond, p, test };
}

/** McNemar's test on right (more than 0) and wrong answers to the same questions. */
export function mcnemarOf(first: readonly number[], second: readonly number[]): McNemar {
  if (first.length !== second.length) {
    throw new RangeError(`${first.length} scores cannot be paired with ${second.length}.`);
  }
  const pairs = first.map((score, i) => [score > 0, (second[i] ?? 0) > 0] as const);
  return mcnemar(
    pairs.filter(([one, other]) => one && !other).length,
    pairs.filter(([one, other]) => !one && other).length,
  );
}

/** Twice the chance of at most `few` heads in `tosses` tosses of a fair coin; at most 1. */
function binomialTwoSided(few: number, tosses: number): number {
  let ways = 1;
  let sum = 1;
  for (let heads = 1; heads <= few; heads++) {
    ways = (ways * (tosses - heads + 1)) / heads;
    sum += ways;
  }
  return Math.min(1, (2 * sum) / 2 ** tosses);
}
