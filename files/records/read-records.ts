/** Reads the records of a file in any supported format. */
import { parseJson } from '../../core/canonical-json.js';
import { isObject } from '../../core/is-object.js';
import { delimiterOf, readDelimited, type TableOptions } from './delimited.js';
import type { FileEntry } from './entry.js';
import { type DocumentLayout, readDocument } from './json-document.js';
import { readJsonLines } from './json-lines.js';
import { readParquet } from './parquet.js';
import type { SourceFile } from './source-file.js';

/** Bytes examined to detect the format. */
const HEAD = 64 * 1024;

/**
 * Yields an entry for each record of a file, in order: its `value`, unchecked, its `place` in
 * messages, and its `key` if the file is a map of records. The format is detected from the
 * content: JSON Lines, one JSON document, CSV, TSV or Parquet, each plain or gzip. Memory does not
 * grow with the file.
 *
 * @param table Options for CSV, TSV and Parquet.
 * @throws Failure BadInput for a file that cannot be read or is damaged; for an unknown format, it
 * names the accepted ones.
 */
export async function* readRecords(
  source: SourceFile,
  table: TableOptions = {},
): AsyncGenerator<FileEntry> {
  let last: string | undefined;
  try {
    const head = await source.head(HEAD);
    const isParquet = head.subarray(0, 4).toString('latin1') === 'PAR1';
    const entries = isParquet ? readParquet(source, table) : readText(source, head, table);
    for await (const entry of entries) {
      source.signal?.throwIfAborted();
      last = entry.place;
      yield entry;
    }
  } catch (error) {
    throw source.explained(error, last);
  }
}

function readText(
  source: SourceFile,
  head: Buffer,
  table: TableOptions,
): AsyncGenerator<FileEntry> {
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  const layout = layoutOf(text, source.kind.lists);
  if (layout) return readDocument(source, layout);
  const [first = ''] = text.trimStart().split('\n', 1);
  const isLine = text.includes('\n') || head.length < HEAD;
  const delimiter = isLine && !/^[{[]/.test(first) ? delimiterOf(first) : undefined;
  if (delimiter) return readDelimited(source, delimiter, table);
  if (first === '' || JSON_LIKE.test(first)) return readJsonLines(source);
  throw source.refuse(`is in none of the formats that can be read: ${source.kind.accepted}`);
}

/**
 * Pattern of the beginning of a line of JSON. A value that is no object also matches, so that a
 * reader refuses it by its line.
 */
const JSON_LIKE = /^(?:["{[\d-]|null\b|true\b|false\b)/;

const SPLITS: ReadonlySet<string> = new Set(['train', 'dev', 'validation', 'test']);

const SCALARS = String.raw`(?:"[^"]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-\d.eE+]+|null|true|false)\s*,\s*)*`;
/** Pattern of the first value that is not a scalar: its name, and its opening sign. */
const OPENS = new RegExp(String.raw`^\{\s*(${SCALARS})"([^"]*)"\s*:\s*([[{])`);

/**
 * Returns where the records of a JSON document are; undefined for JSON Lines. Supports a list of
 * records; an object with one, like SQuAD's; a map of records by id, with or without splits, like
 * ASQA's; and records that span lines.
 *
 * @param head First bytes as text, without a byte order mark.
 * @param lists As in `RecordKind`.
 */
function layoutOf(head: string, lists: ReadonlySet<string>): DocumentLayout | undefined {
  const text = head.trimStart();
  const plain = { keyed: false, split: false };
  if (text.startsWith('[')) return { path: '$.*', ...plain };
  if (!text.startsWith('{')) return undefined;
  const [first = '', second] = text.split('\n').filter((line) => line.trim() !== '');
  const value = parseJson(first);
  const whole = isObject(value) ? value : undefined;
  if (whole && second?.trimStart().startsWith('{')) return undefined;
  const [, before = '', key = '', opens] = OPENS.exec(text) ?? [];
  const name = key.toLowerCase();
  if (opens === '[' && lists.has(name)) return { path: `$.${key}.*`, ...plain };
  if (opens === '[' && SPLITS.has(name)) return { path: '$.*.*', keyed: false, split: true };
  if (opens === '{' && SPLITS.has(name)) return { path: '$.*.*', keyed: true, split: true };
  // A record has other values besides an object; a map has none.
  const isMap = opens === '{' && before === '' && (!whole || Object.values(whole).every(isObject));
  if (isMap) return { path: '$.*', keyed: true, split: false };
  return !whole && /[{[,:]$/.test(first.trim()) ? { path: '$', ...plain } : undefined;
}
