/** Numbers within bounds and texts that are not empty, for the schemas of inputs. Pure. */
import { z } from 'zod';

/** A whole number from `least`, to `most` where there is a bound. */
export function whole(least: number, most?: number) {
  const from = z.int().min(least);
  return most === undefined ? from : from.max(most);
}

export function between(least: number, most: number) {
  return z.number().min(least).max(most);
}

/** A number above 0, to `most` where there is a bound. */
export function positive(most?: number) {
  const from = z.number().positive();
  return most === undefined ? from : from.max(most);
}

export const nonEmpty = z.string().min(1);
