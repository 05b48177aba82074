/** Combines the scores of several repeats of the same questions. Pure. */
import type { Scores } from './compare-scores.js';

/**
 * Returns the mean score of each question, by question id, over those repeats that have a score
 * for it.
 *
 * @param repeats For each repeat, the scores by question id.
 */
export function questionMeans(repeats: readonly Scores[]): Scores {
  const all = new Map<string, number[]>();
  for (const scores of repeats) {
    for (const [id, score] of scores) all.set(id, [...(all.get(id) ?? []), score]);
  }
  return new Map([...all].map(([id, scores]) => [id, mean(scores)]));
}

/** Returns the arithmetic mean of values; NaN if there are none. */
export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/**
 * Returns the sample standard deviation of values (with n - 1 in the denominator); undefined for
 * fewer than two.
 */
export function deviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const middle = mean(values);
  const squares = values.reduce((total, value) => total + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
