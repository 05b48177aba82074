/** Schemas of bounded numbers and non-empty texts. Pure. */
import { z } from 'zod';

/**
 * Returns the zod schema of a whole number of at least `least`, and at most `most` if given, both
 * included.
 */
export function whole(least: number, most?: number) {
  const from = z.int().min(least);
  return most === undefined ? from : from.max(most);
}

/** Returns the zod schema of a number from `least` to `most`, both included. */
export function between(least: number, most: number) {
  return z.number().min(least).max(most);
}

/** Returns the zod schema of a number above 0, and at most `most` (included) if given. */
export function positive(most?: number) {
  const from = z.number().positive();
  return most === undefined ? from : from.max(most);
}

/** Schema of a text of at least one character. */
export const nonEmpty = z.string().min(1);
