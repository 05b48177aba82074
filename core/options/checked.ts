/**
 * Checks values against zod schemas, and words the problems: unless the schema has a message of its
 * own, a message names what the field accepts and the nearest known value. Pure.
 */
import type { z } from 'zod';
import { nearest, suggestion } from './nearest.js';
import { BadInput, type Problem } from './problems.js';
import { choicesOf, describeAllowed, type Field, fieldAt, fieldOf } from './schema-fields.js';

/**
 * Returns a wrong value as text for a message.
 *
 * @param isChoice Whether the field accepts only some values.
 */
type Show = (value: unknown, isChoice?: boolean) => string;

/** The parsed value, or the problems of its fields. */
type Checked<T> = { data: T; problems?: undefined } | { problems: Problem[] };

/**
 * Checks a value against a schema. Returns the parsed value as `data`, or else `problems` that name
 * each wrong field and what it accepts. Never throws.
 *
 * @param at Path of the value in the caller's input, with which each problem's path begins.
 * @param show Formats a wrong value for a message.
 */
export function checkAgainst<S extends z.ZodType>(
  schema: S,
  value: unknown,
  at: readonly PropertyKey[] = [],
  show: Show = shown,
): Checked<z.output<S>> {
  const parsed = schema.safeParse(value, { error: withoutMessage });
  if (parsed.success) return { data: parsed.data };
  let whole: Field | undefined;
  const field = (path: readonly PropertyKey[]) => {
    whole ??= fieldOf(schema);
    return fieldAt(whole, path);
  };
  const checking: Checking = { value, at, show, field };
  return { problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, checking)) };
}

/**
 * Returns a value as parsed by a schema, with its defaults.
 *
 * @param more Returns further problems of a value that fits the schema.
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

/** Clears the message of an issue, unless its schema has a message of its own. */
function withoutMessage({ code }: z.core.$ZodRawIssue): string | undefined {
  return code === 'custom' ? undefined : '';
}

interface Checking {
  value: unknown;
  /** Path of the value in the input. */
  at: readonly PropertyKey[];
  show: Show;
  /** Returns the field at a path of the schema; undefined if its form is not known. */
  field(path: readonly PropertyKey[]): Field | undefined;
}

/**
 * Returns the problems of an issue; of a union, those of the alternative that the value resembles.
 */
function problemsOf(issue: z.core.$ZodIssue, checking: Checking): Problem[] {
  const { value, at, show, field } = checking;
  const meant = issue.code === 'invalid_union' ? issue.errors.find(isResembled) : undefined;
  if (meant) {
    const within = meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
    return within.flatMap((inner) => problemsOf(inner, checking));
  }
  const path = [...at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = () => Object.keys(objectAt(field(issue.path))?.properties ?? {});
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: () => `there is no such field${suggestion(key, known())}`,
      isUnknown: true,
    }));
  }
  if (issue.message !== '') return [{ path, message: issue.message }];
  const input = valueAt(value, issue.path);
  return [{ path, message: ({ none }) => wordsFor(input, field(issue.path), show, none) }];
}

/** Returns whether only inner fields of an alternative are wrong, and not the type of the value. */
function isResembled(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.every(
    ({ code, path }) => path.length > 0 || code === 'custom' || code === 'unrecognized_keys',
  );
}

/** Returns the message about a wrong value: what the field accepts. @param none Word for null. */
function wordsFor(input: unknown, field: Field | undefined, show: Show, none: string): string {
  const what = field && describeAllowed(field, none);
  if (field === undefined || what === undefined) return `is not allowed as ${show(input)}`;
  if (input === undefined) return `is missing; it must be ${what}`;
  const choices = choicesOf(field);
  const meant = typeof input === 'string' ? nearest(input, choices) : undefined;
  const given = show(input, choices.length > 0);
  return `must be ${what}, not ${given}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/**
 * Returns the schema of an object with named fields that a field accepts; undefined if it accepts
 * none.
 */
function objectAt(field: Field | undefined): Field | undefined {
  if (field?.properties) return field;
  return (field?.anyOf as Field[] | undefined)?.find(({ properties }) => properties);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, name) => Object(at)[name], value);
}

/**
 * Returns the kind of a value in words, without the content of a text, number, list or object,
 * such as "a list of 3 numbers". For true, false and null returns that word.
 *
 * @param isChoice Whether the value should have been one of some texts or numbers; then it is
 * "another text" or "another number".
 */
export function describeKind(value: unknown, isChoice = false): string {
  if (Array.isArray(value) && value.length > 0) {
    const kinds = new Set(value.map((one) => (Array.isArray(one) ? 'list' : typeof one)));
    const [kind = ''] = kinds.size === 1 ? kinds : ['value'];
    const noun = kind === 'string' ? 'text' : kind;
    return `a list of ${value.length} ${noun}${value.length === 1 ? '' : 's'}`;
  }
  if (value === '') return 'an empty text';
  if (typeof value === 'string' && value.trim() === '') return 'a text of spaces';
  if (typeof value === 'string') return isChoice ? 'another text' : 'a text';
  if (typeof value === 'number') return isChoice ? 'another number' : 'a number';
  return shown(value);
}

/** Maximum number of characters shown of a value. */
const SHOWN = 60;

function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
