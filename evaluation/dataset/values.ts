/** Schemas of the values that fields have in more than one shape. */
import { z } from 'zod';
import { BadField } from './line.js';
import { pythonValue } from './python-value.js';

export const text = z.string().trim().min(1);
/** QAMPARI lists some empty names: nothing can match them, so they are left out. */
export const texts = z
  .array(z.string().trim())
  .transform((values) => values.filter((value) => value !== ''));
/** A group whose names were all empty stays: ALCE counts it as an answer that nobody finds. */
export const groups = z.array(texts).min(1);
export const id = z.union([text, z.number().transform(String)]);
/** DPR writes scores as strings. */
export const score = z.union([z.number(), text.transform(Number).pipe(z.number())]);
export const title = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
/** Tables write truth values as text. */
export const flag = z.union([
  z.boolean(),
  z.int().min(0).max(1).transform(Boolean),
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['true', 'false', 'yes', 'no', '0', '1']))
    .transform((word) => word === 'true' || word === 'yes' || word === '1'),
]);

/**
 * A list or an object that is written as text, by JSON or by Python, as tables have it; undefined
 * for other text. A set in braces is a text.
 *
 * @throws BadField for what begins and ends like one and is none.
 */
export function writtenIn(value: string, field: string): object | undefined {
  const trimmed = value.trim();
  if (!/^(?:\[[\s\S]*\]|\{\s*(?:"[^"]*"|'[^']*')\s*:[\s\S]*\})$/.test(trimmed)) return undefined;
  const isList = trimmed.startsWith('[');
  const found = jsonIn(trimmed) ?? pythonValue(trimmed);
  if (typeof found === 'object' && found !== null) return found;
  const what = isList ? 'a list' : 'an object';
  throw new BadField(
    `${field}: looks like ${what} and is neither JSON nor what Python prints of one: write it with json.dumps`,
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
