/** Reads a file of records: its unpacked bytes, its lines, and its errors. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCodeOf, Failure } from '../../core/failure.js';
import { nearest } from '../../core/options/nearest.js';
import { type Line, splitLines } from '../../stores/lines.js';

/**
 * A kind of file of records, such as a data set or a corpus: words for messages, and the names of
 * the field that may contain the list of records.
 */
export interface RecordKind {
  /** Noun for the file, such as "data set". */
  noun: string;
  /** Accepted formats, for a file in another one. */
  accepted: string;
  /** Advice to append if there is no such file and none with a similar name; '' for none. */
  otherwise: string;
  /** Lower-case names of the field that contains the list of records, if the file is one object. */
  lists: ReadonlySet<string>;
}

/** Bytes that are read at a time. */
const CHUNK = 256 * 1024;

/**
 * A file of records, whose records are read once, from beginning to end. It counts and hashes the
 * bytes while they are read, and explains errors with the file's name; the readers of records set
 * its format. Gzip is detected from the first bytes, not from the name.
 */
export class SourceFile {
  /** Bytes read so far, of the file on the disk. */
  bytesRead = 0;
  /** Name of the format, such as "TSV"; empty until a reader of records has begun. */
  format = '';
  readonly #hash = createHash('sha256');

  constructor(
    readonly path: string,
    readonly kind: RecordKind,
    readonly signal?: AbortSignal | undefined,
  ) {}

  /**
   * Returns the error BadInput about this file: "The NOUN NAME WHAT." `what` may contain places and
   * names of fields, but never content of the file.
   */
  refuse(what: string, cause?: unknown): Failure {
    return new Failure('BadInput', `The ${this.kind.noun} ${basename(this.path)} ${what}.`, {
      cause,
    });
  }

  /**
   * Returns a Failure with an explanation for error codes of the file system and zlib; other errors
   * are returned unchanged.
   *
   * @param last Place of the last record that could be read.
   */
  explained(error: unknown, last?: string): unknown {
    const code = errorCodeOf(error) ?? '';
    const after = last === undefined ? '' : `, after ${last}`;
    if (code === 'ENOENT') {
      return this.refuse(`does not exist: ${this.path}${this.#meant()}`, error);
    }
    if (code === 'Z_BUF_ERROR') {
      return this.refuse(`is cut off: its gzip data ends early${after}`, error);
    }
    if (code.startsWith('Z_')) {
      return this.refuse(`is damaged: its gzip data cannot be unpacked${after} (${code})`, error);
    }
    if (code === 'ERR_INVALID_ARG_VALUE') return this.refuse('has a null byte in its name', error);
    if (/^E[A-Z]+$/.test(code)) return this.refuse(`cannot be read (${code})`, error);
    return error;
  }

  /** Returns the end of a refusal: a similarly named file beside it, or other advice. */
  #meant(): string {
    let beside: string[] = [];
    try {
      beside = readdirSync(dirname(this.path));
    } catch {
      // There is no such folder either.
    }
    const near = nearest(basename(this.path), beside);
    return near ? ` (did you mean ${near}?)` : this.kind.otherwise;
  }

  /** Returns whether the file is compressed with gzip. */
  isPacked(): Promise<boolean> {
    return isGzip(this.path);
  }

  /** Yields the unpacked bytes. @throws Errors explained by `explained`. */
  async *bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of unpacked(this.path, (read) => {
      this.bytesRead = read;
    })) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /**
   * Returns the SHA-256 of the uncompressed bytes read so far, in hexadecimal; of the whole file
   * once `bytes` has ended.
   */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /**
   * Returns at most `size` uncompressed bytes from the beginning.
   *
   * @throws Failure BadInput if the file is in UTF-16.
   */
  async head(size: number): Promise<Buffer> {
    let head = Buffer.alloc(0);
    for await (const chunk of unpacked(this.path)) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= size) break;
    }
    const encoding = utf16Of(head);
    if (encoding === undefined) return head.subarray(0, size);
    throw this.refuse(
      `is in UTF-16, not in UTF-8: convert it, for example with iconv -f ${encoding} -t utf-8`,
    );
  }

  /**
   * Yields the same as `bytes`. @throws Failure BadInput at the first byte that is not UTF-8, with
   * its line.
   */
  async *utf8(): AsyncGenerator<Buffer> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of this.bytes()) {
      try {
        decoder.decode(chunk, { stream: true });
      } catch (error) {
        throw await this.#notUtf8(error);
      }
      yield chunk;
    }
    try {
      decoder.decode();
    } catch (error) {
      throw await this.#notUtf8(error);
    }
  }

  /** Yields the lines of the uncompressed file, as `splitLines` does. */
  lines(options?: { keepsSpace: boolean }): AsyncGenerator<Line> {
    return splitLines(this.bytes(), `The ${this.kind.noun} ${basename(this.path)}`, options);
  }

  /** Returns the text of a line. @throws Failure BadInput if it is not UTF-8. */
  text({ bytes, number }: Line): string {
    if (isUtf8(bytes)) return bytes.toString('utf8');
    throw this.refuse(`line ${number} ${NOT_UTF8}`);
  }

  /**
   * Returns the line number, from 1, of an offset in the uncompressed bytes, and up to 1,024 bytes
   * of text from there on. Reads the file from the beginning.
   */
  async at(offset: number): Promise<{ line: number; rest: string }> {
    let line = 1;
    let left = offset;
    for await (const chunk of unpacked(this.path)) {
      const part = chunk.subarray(0, left);
      for (let at = part.indexOf(0x0a); at !== -1; at = part.indexOf(0x0a, at + 1)) line++;
      if (left < chunk.length) {
        return { line, rest: chunk.toString('utf8', left, left + SHOWN) };
      }
      left -= chunk.length;
    }
    return { line, rest: '' };
  }

  /** Reads from the beginning again, to name the line. */
  async #notUtf8(cause: unknown): Promise<Failure> {
    for await (const { bytes, number } of splitLines(unpacked(this.path), this.path)) {
      if (!isUtf8(bytes)) return this.refuse(`line ${number} ${NOT_UTF8}`, cause);
    }
    return this.refuse(NOT_UTF8, cause);
  }
}

/** Bytes of text that `at` returns at most. */
const SHOWN = 1024;

const NOT_UTF8 = 'is not in UTF-8: convert it, for example with iconv -f latin1 -t utf-8';

/**
 * Returns the kind of UTF-16 of a file as iconv names it, by its mark or the zeros of plain
 * letters.
 */
function utf16Of(bytes: Buffer): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16';
  if (first === 0xfe && second === 0xff) return 'utf-16';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  return undefined;
}

async function* unpacked(
  path: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const isPacked = await isGzip(path);
  const raw = createReadStream(path, { highWaterMark: CHUNK });
  try {
    // The callback only keeps the error from being thrown twice: the iteration reports it.
    for await (const chunk of isPacked ? pipeline(raw, createGunzip(), () => {}) : raw) {
      onRead(raw.bytesRead);
      yield chunk;
    }
    onRead(raw.bytesRead);
  } finally {
    raw.destroy();
  }
}

async function isGzip(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.readUInt16BE(0) === 0x1f8b;
  } finally {
    await handle.close();
  }
}
