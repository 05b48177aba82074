/** Reads the rows of a Parquet file in parts. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileMetaData } from 'hyparquet';
import { messageOf } from '../../core/failure.js';
import { withOptionalPart } from '../../stores/optional-parts.js';
import type { TableOptions } from './delimited.js';
import type { FileEntry } from './entry.js';
import { exactJson, exactNumber } from './exact-json.js';
import type { SourceFile } from './source-file.js';

/** Fewest rows that are read at a time. */
const PAGE = 512;
/** Maximum number of parts in which a row group is read. */
const PARTS = 32;

/**
 * Yields an entry for each row of a Parquet file: an object by column name (`value`), and a
 * `place` such as "row 7". Needs the optional part `parquet`. Memory is limited to the compressed
 * columns of one row group and a part of its rows. A gzip file is unpacked into a temporary
 * folder.
 *
 * @throws Failure BadInput if the optional part is not installed, and for a file that it cannot
 * read.
 */
export async function* readParquet(
  source: SourceFile,
  { columns: choose }: TableOptions = {},
): AsyncGenerator<FileEntry> {
  source.format = 'Parquet';
  const { hyparquet, compressors } = await load(source);
  const plain = await plainFile(source);
  const asRefused = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw source.refuse(
        'cannot be read as Parquet: it is damaged, or uses features that are not supported',
        error,
      );
    }
  };
  try {
    const file = await asRefused(() => hyparquet.asyncBufferFromFile(plain.path));
    const metadata = await asRefused(() => hyparquet.parquetMetadataAsync(file));
    const columns = choose && [...choose(columnNames(metadata))];
    const whole = source.bytesRead;
    source.bytesRead = 0;
    for (const [start, end] of pagesOf(metadata)) {
      const page = { file, metadata, compressors, parsers, rowStart: start, rowEnd: end };
      const rows = await asRefused(() =>
        hyparquet.parquetReadObjects({ ...page, ...(columns && { columns }) }),
      );
      for (const [i, row] of rows.entries()) {
        yield { value: plainValue(row), place: `row ${start + i + 1}` };
      }
      source.bytesRead = Math.round((whole * end) / Number(metadata.num_rows));
    }
  } finally {
    await plain.remove();
  }
}

/** Returns the first row of each read and the row after its last; no read spans two row groups. */
function pagesOf({ row_groups }: FileMetaData): [start: number, end: number][] {
  let groupStart = 0;
  return row_groups.flatMap(({ num_rows }) => {
    const first = groupStart;
    const rows = Number(num_rows);
    groupStart += rows;
    const size = Math.max(PAGE, Math.ceil(rows / PARTS));
    return Array.from({ length: Math.ceil(rows / size) }, (_, i): [number, number] => {
      const start = first + i * size;
      return [start, Math.min(start + size, groupStart)];
    });
  });
}

function columnNames({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  let at = 1;
  const skip = (): void => {
    const children = schema[at++]?.num_children ?? 0;
    for (let i = 0; i < children; i++) skip();
  };
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '');
    skip();
  }
  return names;
}

/**
 * Returns the path of the uncompressed file, and a function that removes it if it is temporary.
 * Reads all bytes once for the file's hash; Parquet itself is then read by position.
 */
async function plainFile(
  source: SourceFile,
): Promise<{ path: string; remove: () => Promise<void> }> {
  if (!(await source.isPacked())) {
    for await (const _ of source.bytes());
    return { path: source.path, remove: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-parquet-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'plain.parquet');
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of source.bytes()) await handle.writeFile(chunk);
    } finally {
      await handle.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

async function load(source: SourceFile) {
  try {
    const [hyparquet, { compressors }] = await withOptionalPart('parquet', () =>
      Promise.all([import('hyparquet'), import('hyparquet-compressors')]),
    );
    return { hyparquet, compressors };
  } catch (error) {
    throw source.refuse(`cannot be read. ${messageOf(error)}`, error);
  }
}

const utf8 = new TextDecoder();
const parsers = {
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && exactJson(utf8.decode(bytes)),
};

/**
 * Returns a value as JSON has it: large integers as `exactNumber`, dates as ISO strings, typed
 * arrays as arrays.
 */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return Array.from(value as unknown as Iterable<unknown>, plainValue);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plainValue(held)]));
}
