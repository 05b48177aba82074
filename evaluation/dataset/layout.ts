/** Tells how a JSON file holds its records, by its beginning. Pure. */
import { accepts, plainName } from './fields.js';
import type { DocumentLayout } from './json-document.js';

/** Where documents keep the list of their records: SQuAD, TriviaQA, and others. */
const LISTS = new Set([
  ...['data', 'questions', 'examples', 'instances', 'records', 'items', 'samples', 'entries'],
  ...['dataset', 'testcases', 'goldens'],
]);
const SPLITS = new Set(['train', 'dev', 'validation', 'valid', 'val', 'test']);

const SCALARS = String.raw`((?:"[^"]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-\d.eE+]+|null|true|false)\s*,\s*)*)`;
const OPENS = new RegExp(
  String.raw`^\{\s*${SCALARS}"([^"]*)"\s*:\s*([[{])\s*(?:"([^"]*)"\s*:\s*([[{]?)\s*(?:"([^"]*)"\s*:)?)?`,
);

/** A file that has its records in columns, which cannot be streamed. */
export class InColumns extends Error {}

/**
 * Undefined for JSON Lines. A list of records; an object with one, as SQuAD's; a map of records by
 * id, with or without splits, as ASQA's; or records over several lines.
 *
 * @param head The first bytes as text, without a byte order mark.
 * @throws InColumns
 */
export function layoutOf(head: string): DocumentLayout | undefined {
  const text = head.trimStart();
  const plain = { keyed: false, split: false };
  if (text.startsWith('[')) return { path: '$.*', ...plain };
  if (!text.startsWith('{')) return undefined;
  const end = text.indexOf('\n');
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  if (isRecord(line)) return undefined;
  const [whole = '', before = '', key = '', opens, inner, innerOpens, innermost] =
    OPENS.exec(text) ?? [];
  // What stands beside a question or a passage belongs to it.
  const isInside = [...before.matchAll(/"([^"]*)"\s*:/g)].some(
    ([, name = '']) => accepts('question', name) || accepts('passages', name),
  );
  if (whole !== '' && !isInside && !isField(key)) {
    if (opens === '[' && LISTS.has(plainName(key))) return { path: `$.${key}.*`, ...plain };
    if (opens === '[' && SPLITS.has(plainName(key)))
      return { path: '$.*.*', keyed: false, split: true };
    if (opens === '{' && inner !== undefined && isField(inner)) {
      return { path: '$.*', keyed: true, split: false };
    }
    const nested = innerOpens === '{' && innermost !== undefined && isField(innermost);
    if (SPLITS.has(plainName(key)) && nested) return { path: '$.*.*', keyed: true, split: true };
  }
  if (accepts('question', key) && (opens === '[' || inner === '0')) throw new InColumns();
  return end >= 0 && /[{[,:]$/.test(line) ? { path: '$', ...plain } : undefined;
}

function isField(name: string): boolean {
  return (
    (['id', 'question', 'answers', 'passages'] as const).some((role) => accepts(role, name)) ||
    /^(?:qa_?pairs|annotations|metadata|meta|label)$/i.test(name)
  );
}

/** A whole object with a text that is a question: other objects in it are no records. */
function isRecord(line: string): boolean {
  try {
    const fields = Object.entries(JSON.parse(line) as object);
    return fields.some(([name, value]) => typeof value === 'string' && accepts('question', name));
  } catch {
    return false;
  }
}
