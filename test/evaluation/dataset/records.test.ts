/** Records in shapes that people bring, in words of our own, each with what it says: `records.jsonl`. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AnswerKind } from '../../../core/dataset-record.js';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { parseFields } from '../../../evaluation/dataset/map-fields.js';
import { jsonLines } from '../../support/json-lines.js';

interface Seen {
  name: string;
  record: object;
  /** What the question says. A record without it is refused. */
  means?: object;
  /** By which it is read; without them it is refused. */
  flags?: { as?: string; fields?: string; kind?: AnswerKind };
  /** As which data set it is read. */
  dataset?: string;
}

const FILE = new URL('records.jsonl', import.meta.url);
const SEEN: Seen[] = jsonLines(readFileSync(FILE, 'utf8'));

test.each(SEEN)('$name', (seen) => {
  const { record, means, flags, dataset } = seen;
  if (flags || !means) expect(() => datasetReader()(record)).toThrow();
  if (!means) return;
  const fields = flags?.fields === undefined ? undefined : parseFields(flags.fields);
  const read = datasetReader({ ...flags, fields })(record);
  expect(read.questions).toMatchObject([means]);
  if (dataset !== undefined) expect(read.dataset).toBe(dataset);
});
