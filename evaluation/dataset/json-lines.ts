/** Streams the JSON values of a JSON Lines file, plain or gzip. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../../methods/failure.js';
import { splitLines } from '../../stores/lines.js';

export interface JsonLine {
  value: unknown;
  /** Counted from 1, blank lines included. */
  number: number;
}

/** The error of a data set file: it names the file and says what is wrong there. */
export function refuseDataset(file: string, what: string, cause?: unknown): Failure {
  return new Failure('BadInput', `The data set ${basename(file)} ${what}.`, { cause });
}

/**
 * The values in the order of the file; memory stays at a few buffers and the longest line.
 *
 * @returns SHA-256 of the uncompressed bytes, hexadecimal, once all lines were taken.
 * @throws Failure BadInput when the file cannot be read or is damaged, and for a line that is not
 * JSON in UTF-8.
 */
export async function* readJsonLines(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<JsonLine, string> {
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    const lines = splitLines(hashed(await openBytes(file)), `The data set ${basename(file)}`);
    for await (const { bytes, number } of lines) {
      signal?.throwIfAborted();
      yield { value: parse(file, bytes, number), number };
    }
  } catch (error) {
    throw explained(file, error);
  }
  return hash.digest('hex');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(file: string, bytes: Buffer, number: number): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not in UTF-8';
    throw refuseDataset(file, `line ${number} is not JSON (${reason})`, error);
  }
}

function explained(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return refuseDataset(file, `does not exist: ${file}`, error);
  if (code === 'Z_BUF_ERROR')
    return refuseDataset(file, 'is cut off: its gzip data ends early', error);
  if (/^(?:Z_|E[A-Z]+$)/.test(code)) return refuseDataset(file, `cannot be read (${code})`, error);
  return error;
}

/** Gzip is told by its first bytes, not by its name. */
async function openBytes(file: string): Promise<AsyncIterable<Buffer>> {
  const handle = await open(file, 'r');
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  const raw = createReadStream(file);
  // The callback only keeps the error from being thrown twice: the iteration reports it.
  return buffer.readUInt16BE(0) === 0x1f8b ? pipeline(raw, createGunzip(), () => {}) : raw;
}
