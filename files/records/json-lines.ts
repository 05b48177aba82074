import { basename } from 'node:path';
import { splitLines } from '../../stores/lines.js';
import { readBytes, refuseDataset } from './bytes.js';
import type { Entry } from './entry.js';
import { exactJson } from './exact-json.js';

/**
 * The values in the order of the file, plain or gzip; memory stays at a few buffers and the longest
 * line.
 *
 * @throws Failure BadInput when the file cannot be read or is damaged, and for a line that is not
 * JSON in UTF-8.
 */
export async function* readJsonLines(file: string, signal?: AbortSignal): AsyncGenerator<Entry> {
  for await (const line of splitLines(readBytes(file), `The data set ${basename(file)}`)) {
    signal?.throwIfAborted();
    const place = `line ${line.number}`;
    yield { value: parse(file, line.bytes, place), place };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(file: string, bytes: Buffer, place: string): unknown {
  try {
    return exactJson(utf8.decode(bytes));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not JSON' : 'is not in UTF-8';
    throw refuseDataset(file, `${place} ${what}`, error);
  }
}
