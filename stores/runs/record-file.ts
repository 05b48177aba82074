/** Records in a JSON Lines file: written once, read on from any place. */
import { createReadStream } from 'node:fs';
import { splitLines } from '../lines.js';
import { writeAtomically } from './atomic-file.js';
import { parseJson } from './json-file.js';

export interface Placed<T> {
  record: T;
  next: number;
}

export interface RecordFile<T> {
  write(records: AsyncIterable<T> | Iterable<T>): Promise<void>;
  /** The records from a place on: 0, or where one ended. */
  read(from: number): AsyncGenerator<Placed<T>>;
}

/** @param advice What to do about a damaged file, as a sentence. */
export function recordFile<T>(file: string, advice: string): RecordFile<T> {
  return {
    write: (records) =>
      writeAtomically(file, async (write) => {
        for await (const record of records) await write(`${JSON.stringify(record)}\n`);
      }),

    async *read(from) {
      let next = from;
      for await (const { bytes } of splitLines(createReadStream(file, { start: from }), file)) {
        next += bytes.length + 1;
        yield { record: parseJson(bytes.toString('utf8'), file, advice), next };
      }
    },
  };
}
