import { beirFiles, readBeir } from './beir.js';
import { explained, readHead, refuseDataset } from './bytes.js';
import { delimiterOf, readDelimited } from './delimited.js';
import type { Entry } from './entry.js';
import { readDocument } from './json-document.js';
import { readJsonLines } from './json-lines.js';
import { layoutOf } from './layout.js';
import { readParquet } from './parquet.js';

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
  if (first === '' || isJsonLike(first)) return readJsonLines(file, signal);
  throw refuseDataset(file, `is in no format that is read: ${ACCEPTED}`);
}

/** An object, or another value, which is then refused as no question, with its line. */
function isJsonLike(line: string): boolean {
  return /^(?:["{[\d-]|null\b|true\b|false\b)/.test(line);
}
