/** Finds the fields in which two values differ. Pure. */

import { canonicalJson } from './canonical-json.js';
import { command } from './command.js';
import { Failure } from './failure.js';
import { isObject } from './is-object.js';

/** Maximum number of characters shown of a value. */
const LONGEST_SHOWN = 80;

/**
 * Returns one line for people per field whose values differ, with the value `there` and the value
 * `here`, sorted by name; nested objects are compared field by field. Empty if there is no
 * difference.
 *
 * @example
 * differences({ options: { passages: 10 } }, { options: { passages: 5 } })
 * // ['options.passages: 10 there, 5 here']
 */
export function differences(there: object, here: object, path = ''): string[] {
  const names = new Set([...Object.keys(there), ...Object.keys(here)]);
  return [...names].sort().flatMap((name) => {
    const [a, b] = [fieldOf(there, name), fieldOf(here, name)];
    if (canonicalJson({ a }) === canonicalJson({ a: b })) return [];
    const at = path + name;
    return isObject(a) && isObject(b)
      ? differences(a, b, `${at}.`)
      : [`${at}: ${shown(a)} there, ${shown(b)} here`];
  });
}

/**
 * The first field in which a stored value differs from the same value computed again: its path and
 * both values.
 */
export interface Difference {
  /** Path of the field. @example "result.steps.read.costUsd" */
  field: string;
  /** The stored value; undefined if there is none. */
  kept: unknown;
  /** The computed value. */
  computed: unknown;
}

/**
 * Returns the first field in which a computed value differs from the stored one, compared as JSON:
 * its path (`field`) and both values (`kept`, `computed`). Undefined if they are equal.
 *
 * @param kept The stored value.
 */
export function firstDifference(
  kept: unknown,
  computed: unknown,
  path = '',
): Difference | undefined {
  if (canonicalJson([kept]) === canonicalJson([computed])) return undefined;
  const isSplit =
    Object(kept) === kept &&
    Object(computed) === computed &&
    Array.isArray(kept) === Array.isArray(computed);
  if (!isSplit) return { field: path, kept, computed };
  const [a, b] = [kept, computed] as [Record<string, unknown>, Record<string, unknown>];
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const at = Array.isArray(kept) ? `${path}[${name}]` : [path, name].filter(Boolean).join('.');
    const found = firstDifference(a[name], b[name], at);
    if (found) return found;
  }
  return { field: path, kept, computed };
}

/**
 * Returns the failure Conflict of a start whose run name belongs to a run with other inputs; it is
 * not thrown. Its message lists the differences and says what to do.
 *
 * @param differing Lines of `differences`.
 */
export function runConflict(
  { run, study }: { run: string; study?: object | undefined },
  differing: readonly string[],
): Failure {
  const advice = study
    ? `Set the workers up as they were, or have it asked anew: ${command('runs', 'delete', run)}.`
    : 'Start it as it was, give this one another name (--name), or accept the change (--accept-change): the manifest then records where it begins.';
  const what = `run: there is another run ${run} (${differing.join('; ')}).`;
  return new Failure('Conflict', `${what} ${advice}`);
}

function fieldOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name];
}

function shown(value: unknown): string {
  if (value === undefined) return 'not set';
  const text = JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}
