import { createHash, type Hash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOf, Failure } from '../core/failure.js';
import type { Passage } from '../core/vocabulary.js';
import { splitLines } from '../stores/lines.js';
import { BadLine, parseCorpusLine } from './corpus-line.js';

/** A passage with the number of its line, counted from 1. */
export interface CorpusEntry {
  passage: Passage;
  line: number;
}

/** One reading of a corpus file. Iterate it once; the figures grow as it goes. */
export interface CorpusReader extends AsyncIterable<CorpusEntry> {
  /** Base name of the file. */
  readonly source: string;
  /** Size of the file as it lies on the disk. */
  readonly totalBytes: number;
  readonly bytesRead: number;
  /** SHA-256 of the unpacked lines, hexadecimal. Call it when the reading is over. */
  sha256(): string;
}

/**
 * Opens a corpus file. Gzip is told by its first bytes, not by its name. Blank lines, a byte
 * order mark and Windows line ends are fine. Memory stays at a few buffers whatever the size.
 *
 * @throws Failure BadInput when the file cannot be read; while iterating also for a bad line
 * (file, line number, field), a file with no passages, or gzip data that is cut off or damaged.
 */
export async function openCorpusFile(
  file: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<CorpusReader> {
  const source = path.basename(file);
  const { size, gzip } = await inspect(file);
  const raw = createReadStream(file, { highWaterMark: 256 * 1024 });
  const hash = createHash('sha256');
  return {
    source,
    totalBytes: size,
    get bytesRead() {
      return raw.bytesRead;
    },
    sha256: () => hash.copy().digest('hex'),
    async *[Symbol.asyncIterator]() {
      let count = 0;
      try {
        for await (const entry of entries(raw, gzip, hash, source)) {
          signal?.throwIfAborted();
          count++;
          yield entry;
        }
      } catch (error) {
        throw readable(error, source, count);
      } finally {
        raw.destroy();
      }
      if (count === 0) throw new Failure('BadInput', `${source} holds no passages: it is empty.`);
    },
  };
}

async function* entries(raw: ReadStream, gzip: boolean, hash: Hash, source: string) {
  // The iteration reports the error; the callback keeps it from being thrown twice.
  const bytes = gzip ? pipeline(raw, createGunzip(), () => {}) : raw;
  for await (const { bytes: line, number } of splitLines(hashed(bytes, hash), source)) {
    try {
      yield { passage: parseCorpusLine(line), line: number };
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      throw new Failure('BadInput', `${source} line ${number} ${error.message}`);
    }
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function inspect(file: string): Promise<{ size: number; gzip: boolean }> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      return { size, gzip: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const code = codeOf(cause);
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? cause})`;
    throw new Failure('BadInput', `The corpus file ${file} ${reason}.`, { cause });
  }
}

/** Says in words what zlib reports as a code. */
function readable(error: unknown, source: string, passages: number): unknown {
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR') {
    return new Failure(
      'BadInput',
      `${source} is cut off: its gzip data ends early, after ${passages} passages. ` +
        'Fetch or write the file again.',
      { cause: error },
    );
  }
  if (code?.startsWith('Z_')) {
    return new Failure(
      'BadInput',
      `${source} is damaged: its gzip data cannot be read after ${passages} passages (${code}).`,
      { cause: error },
    );
  }
  return error;
}
