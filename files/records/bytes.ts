/** The bytes of a data set file, unpacked, and what is said where they cannot be read. */
import { createReadStream, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOf, Failure } from '../../core/failure.js';
import { nearest } from '../../core/options/nearest.js';

/**
 * The error of a data set file: it names the file and says what is wrong there. It goes to whoever
 * named the file, so it gives places and names of fields, and never what the file holds.
 */
export function refuseDataset(file: string, what: string, cause?: unknown): Failure {
  return new Failure('BadInput', `The data set ${basename(file)} ${what}.`, { cause });
}

/** Says in words what the file system and zlib report as codes; other errors stay as they are. */
export function explained(file: string, error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (code === 'ENOENT') return refuseDataset(file, `does not exist: ${file}${meant(file)}`, error);
  if (code === 'Z_BUF_ERROR')
    return refuseDataset(file, 'is cut off: its gzip data ends early', error);
  if (code === 'ERR_INVALID_ARG_VALUE') return refuseDataset(file, 'holds a null byte', error);
  if (/^(?:Z_|E[A-Z]+$)/.test(code)) return refuseDataset(file, `cannot be read (${code})`, error);
  return error;
}

/** The end of a refusal: the file beside it that was meant, or how the store is asked. */
function meant(file: string): string {
  let beside: string[] = [];
  try {
    beside = readdirSync(dirname(file));
  } catch {
    // There is no such folder either.
  }
  const near = nearest(basename(file), beside);
  return near ? ` (did you mean ${near}?)` : '; what the store has is named stored:NAME';
}

/**
 * The bytes of a file, unpacked: gzip is told by its first bytes, not by its name.
 *
 * @throws Failure BadInput where they cannot be read.
 */
export async function* readBytes(file: string): AsyncGenerator<Buffer> {
  try {
    const handle = await open(file, 'r');
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
    const raw = createReadStream(file);
    // The callback only keeps the error from being thrown twice: the iteration reports it.
    yield* buffer.readUInt16BE(0) === 0x1f8b ? pipeline(raw, createGunzip(), () => {}) : raw;
  } catch (error) {
    throw explained(file, error);
  }
}

/** So many bytes of a file from its beginning, or as many as there are. @throws as `readBytes`. */
export async function readHead(file: string, size: number): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of readBytes(file)) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= size) break;
  }
  return head.subarray(0, size);
}

/** As `readBytes`. @throws Failure BadInput at the first byte that is not UTF-8 as well. */
export async function* readUtf8(file: string): AsyncGenerator<Buffer> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of readBytes(file)) {
    try {
      utf8.decode(chunk, { stream: true });
    } catch (error) {
      throw refuseDataset(file, 'is not in UTF-8', error);
    }
    yield chunk;
  }
}
