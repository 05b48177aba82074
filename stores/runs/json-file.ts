/** Reads and writes files of JSON and of JSON Lines. */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Failure, undefinedIfMissing } from '../../core/failure.js';
import { splitLines } from '../lines.js';
import { writeAtomically } from './atomic-file.js';

/**
 * Writes a value as JSON into a file, which is replaced atomically.
 *
 * @param space Indentation in spaces; none by default.
 */
export function writeJson(file: string, value: unknown, space?: number): Promise<void> {
  return writeAtomically(file, (write) => write(`${JSON.stringify(value, undefined, space)}\n`));
}

/**
 * Reads a file as JSON; returns undefined if it does not exist.
 *
 * @param advice What to do about a damaged file, as a sentence.
 * @throws Failure Damaged naming the file if it is not JSON.
 */
export async function readJson<T>(file: string, advice: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(undefinedIfMissing);
  return text === undefined ? undefined : parseJsonFile<T>(text, file, advice);
}

/**
 * Parses the text of a file as JSON, and returns the value.
 *
 * @param advice What to do about a damaged file, as a sentence.
 * @throws Failure Damaged naming the file if it is not JSON.
 */
export function parseJsonFile<T>(text: string, file: string, advice: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const what = `The file ${file} is damaged: it is not JSON. ${advice}`;
    throw new Failure('Damaged', what, { cause });
  }
}

/**
 * Returns functions for a file with one JSON record per line: `write` replaces the file
 * atomically, and `read` yields each record from a position in bytes on (`record`), with the
 * position after it (`next`).
 *
 * @param advice What to do about a damaged file, as a sentence.
 */
export function jsonLinesFile<T>(file: string, advice: string) {
  return {
    write: (records: AsyncIterable<T> | Iterable<T>) =>
      writeAtomically(file, async (write) => {
        for await (const record of records) await write(`${JSON.stringify(record)}\n`);
      }),

    /**
     * Yields the records from a position on (0, or a previous `next`), each with the position after
     * it.
     */
    async *read(from: number) {
      let next = from;
      for await (const { bytes } of splitLines(createReadStream(file, { start: from }), file)) {
        next += bytes.length + 1;
        yield { record: parseJsonFile<T>(bytes.toString('utf8'), file, advice), next };
      }
    },
  };
}
