/** JSON in files of their own. */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { absent, Failure } from '../../core/failure.js';
import { splitLines } from '../lines.js';
import { writeAtomically } from './atomic-file.js';

export function writeJson(file: string, value: unknown, space?: number): Promise<void> {
  return writeAtomically(file, (write) => write(`${JSON.stringify(value, undefined, space)}\n`));
}

/**
 * Returns what a file holds; undefined where there is none.
 *
 * @param advice What to do about a damaged one, as a sentence.
 * @throws Failure Damaged naming the file when it is no JSON.
 */
export async function readJson<T>(file: string, advice: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(absent);
  return text === undefined ? undefined : parseJson<T>(text, file, advice);
}

/** A text of a file as JSON. @throws Failure Damaged naming the file when it is none. */
export function parseJson<T>(text: string, file: string, advice: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const what = `The file ${file} is damaged: what it holds is no JSON. ${advice}`;
    throw new Failure('Damaged', what, { cause });
  }
}

/** @param advice What to do about a damaged file, as a sentence. */
export function recordFile<T>(file: string, advice: string) {
  return {
    write: (records: AsyncIterable<T> | Iterable<T>) =>
      writeAtomically(file, async (write) => {
        for await (const record of records) await write(`${JSON.stringify(record)}\n`);
      }),

    /** The records from a place on, 0 or where one ended, each with the place where it ends. */
    async *read(from: number) {
      let next = from;
      for await (const { bytes } of splitLines(createReadStream(file, { start: from }), file)) {
        next += bytes.length + 1;
        yield { record: parseJson<T>(bytes.toString('utf8'), file, advice), next };
      }
    },
  };
}
