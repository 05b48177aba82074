import { isObject } from '../../core/is-object.js';
import type { DocumentLayout } from './json-document.js';

/** Where published documents keep the list of their records: SQuAD, TriviaQA, BioASQ. */
const LISTS: ReadonlySet<string> = new Set(['data', 'questions']);
const SPLITS: ReadonlySet<string> = new Set(['train', 'dev', 'validation', 'test']);

const SCALARS = String.raw`(?:"[^"]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-\d.eE+]+|null|true|false)\s*,\s*)*`;
/** What stands first that is no scalar: its name, and how it opens. */
const OPENS = new RegExp(String.raw`^\{\s*(${SCALARS})"([^"]*)"\s*:\s*([[{])`);

/**
 * Undefined for JSON Lines. A list of records; an object with one, as SQuAD's; a map of records by
 * id, with or without splits, as ASQA's; or records over several lines.
 *
 * @param head The first bytes as text, without a byte order mark.
 */
export function layoutOf(head: string): DocumentLayout | undefined {
  const text = head.trimStart();
  const plain = { keyed: false, split: false };
  if (text.startsWith('[')) return { path: '$.*', ...plain };
  if (!text.startsWith('{')) return undefined;
  const [first = '', second] = text.split('\n').filter((line) => line.trim() !== '');
  const whole = objectIn(first);
  if (whole && second?.trimStart().startsWith('{')) return undefined;
  const [, before = '', key = '', opens] = OPENS.exec(text) ?? [];
  const name = key.toLowerCase();
  if (opens === '[' && LISTS.has(name)) return { path: `$.${key}.*`, ...plain };
  if (opens === '[' && SPLITS.has(name)) return { path: '$.*.*', keyed: false, split: true };
  if (opens === '{' && SPLITS.has(name)) return { path: '$.*.*', keyed: true, split: true };
  // A record has other values beside an object; a map has none.
  const isMap = opens === '{' && before === '' && (!whole || Object.values(whole).every(isObject));
  if (isMap) return { path: '$.*', keyed: true, split: false };
  return !whole && /[{[,:]$/.test(first.trim()) ? { path: '$', ...plain } : undefined;
}

function objectIn(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
