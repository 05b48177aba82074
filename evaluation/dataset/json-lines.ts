/** Streams the JSON values of a JSON Lines file, plain or gzip. */

import { basename } from 'node:path';
import { splitLines } from '../../stores/lines.js';
import { explained, openHashed, refuseDataset } from './bytes.js';

export interface JsonLine {
  value: unknown;
  /** Counted from 1, blank lines included. */
  number: number;
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
  try {
    const { bytes, sha256 } = await openHashed(file);
    yield* jsonLines(file, bytes, signal);
    return sha256();
  } catch (error) {
    throw explained(file, error);
  }
}

/** The values of the lines of a file that is open. @throws as `readJsonLines`. */
export async function* jsonLines(
  file: string,
  bytes: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): AsyncGenerator<JsonLine> {
  for await (const line of splitLines(bytes, `The data set ${basename(file)}`)) {
    signal?.throwIfAborted();
    yield { value: parse(file, line.bytes, line.number), number: line.number };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(file: string, bytes: Buffer, number: number): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not JSON' : 'is not in UTF-8';
    throw refuseDataset(file, `line ${number} ${what}`, error);
  }
}
