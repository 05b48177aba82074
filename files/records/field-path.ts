/** Paths to the fields of a record, as a mapping writes them: `inputs.question`, `outputs.answer[]`. Pure. */
import { z } from 'zod';
import { isObject } from '../../core/is-object.js';

const STEP = String.raw`[^.[\]]+(?:\[-?\d*\])*`;

/** A dotted path: `[]` is each item of a list, `[1]` and `[-1]` are one. */
export const fieldPath = z.string().regex(new RegExp(String.raw`^${STEP}(?:\.${STEP})*$`), {
  error: 'must be a path as inputs.question, outputs.answer[] or messages[1].content',
});

/** Returns the fields of a mapping as it is typed, `question=inputs.question,id=ticket`, each with its path. */
export function fieldPairs(written: string): Record<string, string> {
  const pairs = written.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

/** Returns the values at a path; none without a path, and if the record ends before. */
export function valuesAt(record: object, path = ''): unknown[] {
  if (path === '') return [];
  const steps = path.match(/[^.[\]]+|\[-?\d*\]/g) ?? [];
  return steps
    .reduce<unknown[]>((values, step) => values.flatMap((value) => next(value, step)), [record])
    .filter(isThere);
}

/** Returns whether a value is one: null and an empty text are none. */
export function isThere(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function next(value: unknown, step: string): unknown[] {
  if (!step.startsWith('[')) {
    return isObject(value) && Object.hasOwn(value, step) ? [value[step]] : [];
  }
  if (!Array.isArray(value)) return [];
  return step === '[]' ? value : [value.at(Number(step.slice(1, -1)))];
}
