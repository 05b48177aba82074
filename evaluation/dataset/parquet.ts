/** Streams the rows of a Parquet file. */
import { open } from 'node:fs/promises';
import { Failure } from '../../core/failure.js';
import { refuseDataset } from './bytes.js';
import type { Entry } from './entry.js';

/** Rows read at a time. */
const PAGE = 512;

/**
 * The rows as objects by column. What reads them is an optional dependency, loaded here.
 *
 * @throws Failure BadInput where it is not installed, and for a file that it cannot read.
 */
export async function* readParquet(
  file: string,
  bytes: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): AsyncGenerator<Entry> {
  const { hyparquet, compressors } = await load(file);
  const source = await openSource(file, bytes);
  try {
    const rows = Number((await hyparquet.parquetMetadataAsync(source)).num_rows);
    for (let start = 0; start < rows; start += PAGE) {
      signal?.throwIfAborted();
      const end = Math.min(rows, start + PAGE);
      const page = { file: source, compressors, rowStart: start, rowEnd: end };
      for (const [i, row] of (await hyparquet.parquetReadObjects(page)).entries()) {
        yield { value: plainValue(row), unit: 'row', number: start + i + 1 };
      }
    }
  } catch (error) {
    if (signal?.aborted || error instanceof Failure) throw error;
    throw refuseDataset(
      file,
      'cannot be read as Parquet: it is damaged, or of a kind that is not read',
      error,
    );
  } finally {
    await source.close();
  }
}

interface Source {
  byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

/**
 * The columns lie all over the file, so that it is read by place; the stream is taken as well, for
 * its hash. A file that is packed once more is held in the memory.
 */
async function openSource(file: string, bytes: AsyncIterable<Buffer>): Promise<Source> {
  const handle = await open(file, 'r');
  const { buffer: mark } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  const isPacked = mark.toString('latin1') !== 'PAR1';
  const held: Buffer[] = [];
  for await (const chunk of bytes) if (isPacked) held.push(chunk);
  const { size } = await handle.stat();
  const unpacked = Buffer.concat(held);
  return {
    byteLength: isPacked ? unpacked.length : size,
    async slice(start, end = isPacked ? unpacked.length : size) {
      if (isPacked) return Uint8Array.from(unpacked.subarray(start, end)).buffer;
      const found = new Uint8Array(end - start);
      await handle.read(found, 0, found.length, start);
      return found.buffer;
    },
    close: () => handle.close(),
  };
}

async function load(file: string) {
  try {
    const [hyparquet, { compressors }] = await Promise.all([
      import('hyparquet'),
      import('hyparquet-compressors'),
    ]);
    return { hyparquet, compressors };
  } catch (error) {
    throw refuseDataset(
      file,
      'is a Parquet file, and what reads those is not installed: npm install hyparquet hyparquet-compressors, or write the file as JSON Lines',
      error,
    );
  }
}

/** Large integers as numbers, dates as text, and lists as plain ones. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return Array.from(value as unknown as Iterable<unknown>, plainValue);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plainValue(held)]));
}
