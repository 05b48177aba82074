/** How a value that does not fit its schema is refused, in our own words. Pure. */
import type { z } from 'zod';
import { Failure } from '../failure.js';
import { nearest, suggestion } from './nearest.js';
import { choicesAt, namesAt, takenAt } from './schema-names.js';

/** A value that fits, or a sentence for each field that does not. */
export type Checked<T> = { data: T; problems?: undefined } | { problems: string[] };

/**
 * Holds a value against a schema. What is wrong is said with the field and what may stand there,
 * with the name that was meant where one is near.
 *
 * @param field Where the value stands in what the caller passed.
 */
export function checkAgainst<S extends z.ZodType>(
  schema: S,
  value: unknown,
  field: readonly string[] = [],
): Checked<z.output<S>> {
  const parsed = schema.safeParse(value, { error: inOurWords(schema) });
  if (parsed.success) return { data: parsed.data };
  return { problems: describeIssues(parsed.error, schema, field) };
}

/**
 * What zod says of a value where a schema has no words of its own.
 *
 * @param say How the value is told.
 * @example schema.safeParse(value, { error: inOurWords(schema) })
 */
export function inOurWords(
  schema: z.core.$ZodType,
  say: (value: unknown) => string = shown,
): z.core.$ZodErrorMap {
  return ({ code, path = [], input }) => {
    if (code === 'unrecognized_keys' || code === 'custom') return undefined;
    const taken = takenAt(schema, path);
    if (taken === undefined) return undefined;
    if (input === undefined) return `is missing; it must be ${taken}`;
    const meant = typeof input === 'string' ? nearest(input, choicesAt(schema, path)) : undefined;
    return `must be ${taken}, not ${say(input)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  };
}

function describeIssues(
  { issues }: Pick<z.core.$ZodError, 'issues'>,
  schema: z.core.$ZodType,
  field: readonly string[],
): string[] {
  const at = (path: readonly PropertyKey[]) => [...field, ...path].map(String).join('.') || 'input';
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [`${at(issue.path)}: ${issue.message}`];
    const known = namesAt(schema, issue.path);
    return issue.keys.map(
      (key) => `${at([...issue.path, key])}: there is no such field${suggestion(key, known)}`,
    );
  });
}

/** The refusal of an input, with a sentence for each field that is wrong. */
export function badInput(problems: readonly string[]): Failure {
  return new Failure('BadInput', `Bad input. ${problems.join('; ')}`);
}

/** What a value is, for those who may not see what it holds. */
export function withoutWords(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  return typeof value === 'number' ? 'another number' : shown(value);
}

/** The most that is shown of a value. */
const SHOWN = 60;

function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
