/** Refuses values that do not fit a schema, in our own words. Pure. */
import type { z } from 'zod';
import { choicesOf, type Field, fieldAt, fieldOf, taken } from './fields.js';
import { nearest, suggestion } from './nearest.js';
import { BadInput, type Problem } from './problems.js';

/** A value that fits, or what is wrong with each field that does not. */
type Checked<T> = { data: T; problems?: undefined } | { problems: Problem[] };

/**
 * Checks a value by a schema. A problem names the field, what it takes, and the nearest known name.
 *
 * @param at Where the value stands in what the caller passed.
 */
export function checkAgainst<S extends z.ZodType>(
  schema: S,
  value: unknown,
  at: readonly PropertyKey[] = [],
): Checked<z.output<S>> {
  const parsed = schema.safeParse(value, { error: inOurWords(schema) });
  if (parsed.success) return { data: parsed.data };
  return {
    problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, { schema, value, at })),
  };
}

/**
 * Returns what a schema makes of a value.
 *
 * @param more What else is wrong with one that fits the schema.
 * @throws Failure BadInput naming every field that is wrong, and what it should be.
 */
export function parsedBy<S extends z.ZodType>(
  schema: S,
  value: unknown,
  more: (data: z.output<S>) => readonly Problem[] = () => [],
): z.output<S> {
  const checked = checkAgainst(schema, value);
  if (checked.problems) throw new BadInput(checked.problems);
  const problems = more(checked.data);
  if (problems.length > 0) throw new BadInput(problems);
  return checked.data;
}

/**
 * Returns what zod says of a value where a schema has no words of its own.
 *
 * @param say How the value is told.
 * @param none What is written for no value.
 * @example schema.safeParse(value, { error: inOurWords(schema) })
 */
export function inOurWords(
  schema: z.core.$ZodType,
  say: (value: unknown) => string = shown,
  none?: string,
): z.core.$ZodErrorMap {
  let whole: Field | undefined;
  return ({ code, path = [], input }) => {
    if (code === 'unrecognized_keys' || code === 'custom') return undefined;
    whole ??= fieldOf(schema);
    const field = fieldAt(whole, path);
    const what = field && taken(field, none);
    if (field === undefined || what === undefined) return undefined;
    if (input === undefined) return `is missing; it must be ${what}`;
    const meant = typeof input === 'string' ? nearest(input, choicesOf(field)) : undefined;
    return `must be ${what}, not ${say(input)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  };
}

interface Checking {
  schema: z.core.$ZodType;
  value: unknown;
  /** Path of the value in the input. */
  at: readonly PropertyKey[];
}

/** The problems of a union: those of the alternative that the value resembles. */
function problemsOf(issue: z.core.$ZodIssue, checking: Checking): Problem[] {
  const { schema, value, at } = checking;
  const isRight = ({ code, path }: z.core.$ZodIssue) => code === 'custom' || path.length > 0;
  const meant =
    issue.code === 'invalid_union'
      ? issue.errors.find((issues) =>
          issues.every((one) => isRight(one) || one.code === 'unrecognized_keys'),
        )
      : undefined;
  if (meant) {
    return meant.flatMap((inner) => {
      const path = [...issue.path, ...inner.path];
      const input = valueAt(value, path);
      const message = inOurWords(schema)({ ...inner, path, input } as z.core.$ZodRawIssue);
      const said = typeof message === 'string' ? { message } : {};
      return problemsOf({ ...inner, path, ...said }, checking);
    });
  }
  const path = [...at, ...issue.path];
  if (issue.code !== 'unrecognized_keys') {
    const input = valueAt(value, issue.path);
    const said = (none?: string) =>
      inOurWords(schema, shown, none)({ ...issue, input } as z.core.$ZodRawIssue);
    // A field may have words of its own for what is wrong with it.
    const isOurs = said() === issue.message;
    return [{ path, message: isOurs ? ({ none }) => String(said(none)) : issue.message }];
  }
  const known = Object.keys(objectAt(fieldAt(fieldOf(schema), issue.path))?.properties ?? {});
  return issue.keys.map((key) => ({
    path: [...path, key],
    message: `there is no such field${suggestion(key, known)}`,
  }));
}

/** Returns the object of fixed names that a field takes, alone or among others. */
function objectAt(field: Field | undefined): Field | undefined {
  if (field?.properties) return field;
  return (field?.anyOf as Field[] | undefined)?.find(({ properties }) => properties);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, name) => Object(at)[name], value);
}

/** Returns what kind of value it is, without what it holds. */
export function withoutWords(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) {
    const kinds = new Set(value.map((one) => (Array.isArray(one) ? 'list' : typeof one)));
    const [kind = ''] = kinds.size === 1 ? kinds : ['value'];
    const noun = kind === 'string' ? 'text' : kind;
    return `a list of ${value.length} ${noun}${value.length === 1 ? '' : 's'}`;
  }
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  return typeof value === 'number' ? 'another number' : shown(value);
}

/** How much of a value is shown. */
const SHOWN = 60;

function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
