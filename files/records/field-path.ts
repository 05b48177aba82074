/** Paths to the fields of a record, as in mappings: `inputs.question`, `outputs.answer[]`. Pure. */
import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { isObject } from '../../core/is-object.js';
import { checkAgainst } from '../../core/options/checked.js';
import { describeProblems } from '../../core/options/problems.js';

const QUOTED = `"[^"]*"|'[^']*'`;
const STEP = String.raw`(?:${QUOTED}|[^.[\]"'][^.[\]]*)(?:\[-?\d*\])*`;

/**
 * Schema of a path to a field: `[]` means each item of a list, `[1]` or `[-1]` one item, `*` each
 * value of an object. A key with a dot, a comma or a bracket in it can be quoted.
 */
export const fieldPath = z.string().regex(new RegExp(String.raw`^${STEP}(?:\.${STEP})*$`), {
  error:
    'must be a path such as inputs.question, outputs.answer[], messages[1].content, answer.* or "a.key"',
});

/**
 * Pattern of a pair. Quotation marks quote only at the beginning of a key, so an apostrophe is an
 * ordinary character.
 */
const PAIR = /(?:(?<=[=.]\s*)"[^"]*"|(?<=[=.]\s*)'[^']*'|[^,])+/g;

/**
 * Returns an object from field to path for a mapping that is written as in the flag `--fields`:
 * `question=inputs.question,id=ticket`.
 *
 * @param fields Schema of the fields that can be mapped.
 * @throws Failure BadInput naming each wrong field.
 */
export function parseMapping<S extends z.ZodType>(fields: S, written: string): z.output<S> {
  const checked = checkAgainst(fields, parsePairs(written));
  if (!checked.problems) return checked.data;
  const nameOf = (path: readonly PropertyKey[]) => ['--fields', ...path.map(String)].join(' ');
  throw new Failure('BadInput', describeProblems(checked.problems, { nameOf, none: 'null' }));
}

function parsePairs(written: string): Record<string, string> {
  const pairs = (written.match(PAIR) ?? []).map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

/**
 * Returns the path to one key of a record: the key itself, in quotation marks if it contains
 * characters with a meaning in paths or mappings.
 */
export function keyToPath(key: string): string {
  const isPlain = fieldPath.safeParse(key).success && !/[,"']|^\s|\s$/.test(key);
  if (isPlain) return key;
  return key.includes('"') ? `'${key}'` : `"${key}"`;
}

/** Returns a path without the quotation marks around its keys. */
export function unquotedPath(path: string): string {
  return stepsOf(path).reduce(
    (before, { key, text }) => `${before}${key === undefined || before === '' ? '' : '.'}${text}`,
    '',
  );
}

/**
 * Returns the values at a path of a record, in order, without null and empty strings; empty if
 * there are none or the path is ''.
 */
export function valuesAt(record: object, path = ''): unknown[] {
  return path === '' ? [] : valuesBehind(record, stepsOf(path)).filter(hasValue);
}

/** Returns whether a value is neither undefined, null nor the empty string. */
export function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** One step of a path: a key, or the items of a list. */
interface Step {
  /** Text of the step in the path, without quotation marks. */
  text: string;
  /** Kind of key; undefined for items. */
  key?: 'plain' | 'quoted';
}

function stepsOf(path: string): Step[] {
  const steps = path.match(
    new RegExp(String.raw`(?<![^.\]])(?:${QUOTED})|[^.[\]]+|\[-?\d*\]`, 'g'),
  );
  return (steps ?? []).map((text) => {
    if (text.startsWith('[')) return { text };
    const isQuoted = /^(["']).*\1$/s.test(text) && text.length > 1;
    return isQuoted ? { text: text.slice(1, -1), key: 'quoted' } : { text, key: 'plain' };
  });
}

/**
 * Returns the values at a path. A key that literally equals the path, such as a column
 * `inputs.question`, takes precedence.
 */
function valuesBehind(value: unknown, steps: readonly Step[]): unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [value];
  if (Array.isArray(value)) {
    if (step.key !== undefined) return [];
    const items = step.text === '[]' ? value : [value.at(Number(step.text.slice(1, -1)))];
    return items.flatMap((item) => valuesBehind(item, rest));
  }
  if (!isObject(value)) return [];
  for (let length = steps.length; length > 0; length--) {
    const key = keyOf(steps.slice(0, length));
    if (key !== undefined && Object.hasOwn(value, key)) {
      return valuesBehind(value[key], steps.slice(length));
    }
  }
  if (step.text !== '*' || step.key !== 'plain') return [];
  return Object.values(value).flatMap((held) => valuesBehind(held, rest));
}

/** Returns the key that some steps are if they are one; undefined if they cannot be. */
function keyOf(steps: readonly Step[]): string | undefined {
  const [first] = steps;
  if (first?.key === undefined) return undefined;
  if (steps.length === 1) return first.text;
  if (steps.some(({ key }) => key === 'quoted')) return undefined;
  return steps.map(({ text, key }, i) => (key && i > 0 ? `.${text}` : text)).join('');
}
