import type { AsyncBuffer } from 'hyparquet';
import { messageOf } from '../../core/failure.js';
import { needing } from '../../stores/optional-parts.js';
import { readBytes, refuseDataset } from './bytes.js';
import type { Entry } from './entry.js';
import { exactJson, exactNumber } from './exact-json.js';

/** Rows read at a time. */
const PAGE = 512;

/**
 * The rows as objects by column. What reads them is an optional part, loaded here.
 *
 * @throws Failure BadInput where it is not installed, and for a file that it cannot read.
 */
export async function* readParquet(file: string, signal?: AbortSignal): AsyncGenerator<Entry> {
  const { hyparquet, compressors } = await load(file);
  try {
    const source = await sourceOf(file, hyparquet);
    const rows = Number((await hyparquet.parquetMetadataAsync(source)).num_rows);
    for (let start = 0; start < rows; start += PAGE) {
      signal?.throwIfAborted();
      const end = Math.min(rows, start + PAGE);
      const page = { file: source, compressors, parsers, rowStart: start, rowEnd: end };
      for (const [i, row] of (await hyparquet.parquetReadObjects(page)).entries()) {
        yield { value: plainValue(row), place: `row ${start + i + 1}` };
      }
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    throw refuseDataset(
      file,
      'cannot be read as Parquet: it is damaged, or of a kind that is not read',
      error,
    );
  }
}

/**
 * The columns lie all over the file, so that it is read by place. One that is packed once more is
 * held in the memory.
 */
async function sourceOf(
  file: string,
  { asyncBufferFromFile }: typeof import('hyparquet'),
): Promise<AsyncBuffer> {
  const source = await asyncBufferFromFile(file);
  const mark = Buffer.from(await source.slice(0, 4)).toString('latin1');
  if (mark === 'PAR1') return source;
  const held: Buffer[] = [];
  for await (const chunk of readBytes(file)) held.push(chunk);
  return Uint8Array.from(Buffer.concat(held)).buffer;
}

async function load(file: string) {
  try {
    const [hyparquet, { compressors }] = await needing('parquet', () =>
      Promise.all([import('hyparquet'), import('hyparquet-compressors')]),
    );
    return { hyparquet, compressors };
  } catch (error) {
    throw refuseDataset(file, `cannot be read. ${messageOf(error)}`, error);
  }
}

const utf8 = new TextDecoder();
const parsers = {
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && exactJson(utf8.decode(bytes)),
};

/** Returns large integers as `exactNumber` does, dates as text, and lists as plain ones. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return Array.from(value as unknown as Iterable<unknown>, plainValue);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plainValue(held)]));
}
