/** Schemas of bounded numbers and non-empty texts. Pure. */
import { z } from 'zod';

/** Returns the schema of a whole number from `least`, to `most` if given. */
export function whole(least: number, most?: number) {
  const from = z.int().min(least);
  return most === undefined ? from : from.max(most);
}

export function between(least: number, most: number) {
  return z.number().min(least).max(most);
}

/** Returns the schema of a number above 0, to `most` if given. */
export function positive(most?: number) {
  const from = z.number().positive();
  return most === undefined ? from : from.max(most);
}

export const nonEmpty = z.string().min(1);
