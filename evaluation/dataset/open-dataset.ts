import { jsonIn } from '../../core/canonical-json.js';
import { isObject } from '../../core/is-object.js';
import { explained, readHead, refuseDataset } from '../../files/records/bytes.js';
import { delimiterOf, readDelimited } from '../../files/records/delimited.js';
import type { Entry } from '../../files/records/entry.js';
import { type DocumentLayout, readDocument } from '../../files/records/json-document.js';
import { readJsonLines } from '../../files/records/json-lines.js';
import { readParquet } from '../../files/records/parquet.js';
import { beirFiles, readBeir } from './beir.js';

/** What is looked at to tell the format. */
const HEAD = 64 * 1024;

/** What is said of a file in no format that is known. */
const ACCEPTED =
  'data sets are JSON Lines, a JSON list, CSV or TSV with a header, Parquet, or a BEIR folder: see docs/datasets.md';

/**
 * The values of a file in its order. The format is told by the content: JSON Lines, one JSON
 * document, CSV or TSV with a header, Parquet, each plain or gzip; a folder of BEIR.
 *
 * @throws Failure BadInput for a file that cannot be read or is damaged, naming what is accepted.
 */
export async function* readEntries(file: string, signal?: AbortSignal): AsyncGenerator<Entry> {
  try {
    const beir = await beirFiles(file);
    if (beir) return yield* readBeir(beir, signal);
    const head = await readHead(file, HEAD);
    if (head.subarray(0, 4).toString('latin1') === 'PAR1') yield* readParquet(file, signal);
    else yield* readText(file, head.toString('utf8').replace(/^\uFEFF/, ''), signal);
  } catch (error) {
    throw explained(file, error);
  }
}

function readText(file: string, head: string, signal?: AbortSignal): AsyncGenerator<Entry> {
  const layout = layoutOf(head);
  if (layout) return readDocument(file, layout, signal);
  const [first = ''] = head.trimStart().split('\n', 1);
  const delimiter = /^[{[]/.test(first) ? undefined : delimiterOf(first);
  if (delimiter) return readDelimited(file, delimiter, signal);
  if (first === '' || JSON_LIKE.test(first)) return readJsonLines(file, signal);
  throw refuseDataset(file, `is in no format that is read: ${ACCEPTED}`);
}

/** An object, or another value, which is then refused as no question, with its line. */
const JSON_LIKE = /^(?:["{[\d-]|null\b|true\b|false\b)/;

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
function layoutOf(head: string): DocumentLayout | undefined {
  const text = head.trimStart();
  const plain = { keyed: false, split: false };
  if (text.startsWith('[')) return { path: '$.*', ...plain };
  if (!text.startsWith('{')) return undefined;
  const [first = '', second] = text.split('\n').filter((line) => line.trim() !== '');
  const value = jsonIn(first);
  const whole = isObject(value) ? value : undefined;
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
