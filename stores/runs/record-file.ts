/** Records in a JSON Lines file: written once, read on from any place. */
import { createReadStream } from 'node:fs';
import { splitLines } from '../lines.js';
import { writeAtomically } from './atomic-file.js';
import { parseJson } from './json-file.js';

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
