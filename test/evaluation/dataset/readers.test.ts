/** Declared data sets: an example of each (`examples.jsonl`), and records of theirs that look different. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AnswerKind } from '../../../core/dataset-record.js';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { parseFields } from '../../../evaluation/dataset/map-fields.js';
import { DATASETS } from '../../../evaluation/dataset/readers/index.js';
import { jsonLines } from '../../support/json-lines.js';
import { ticket, tickets } from '../../support/tickets.js';

/** The same for its first result of two: NQ-open and this project's read one record alike. */
const AMBIGUOUS = new Set(['gsm8k']);

interface Example {
  as: string;
  record: object;
  /** The questions that it holds. */
  means: object[];
}

const FILE = new URL('examples.jsonl', import.meta.url);
const LINES = readFileSync(FILE, 'utf8').trim().split('\n');
const EXAMPLES = LINES.map((line): Example => JSON.parse(line));

test('every data set has an example', () => {
  expect(EXAMPLES.map(({ as }) => as)).toEqual(DATASETS.map(({ name }) => name));
});

test.each(EXAMPLES)('the example of each: $as', ({ as, record, means }) => {
  const alone = datasetReader({ as })(record);
  expect(alone.unused).toEqual([]);
  expect(alone.questions).toEqual(means);
  if (!AMBIGUOUS.has(as)) expect(datasetReader()(record).questions).toEqual(means);
});

const q = { id: 'q', question: 'Who built the bridge?' };

test('the flags that a refusal names do', () => {
  const record = { ...q, answers: ['Ada'], extra: 1, passages: [{ text: 'Ada did.', url: 'u' }] };
  const { unused, questions } = datasetReader({ as: 'durable-rag' })(record);
  expect(unused).toEqual(['passages[].url']);
  expect(questions).toMatchObject([{ passages: [{ text: 'Ada did.' }], fields: { extra: '1' } }]);
});

test('a text that was cut within a character can be written', () => {
  const record = { ...q, answer: 'x', passages: ['cut \ud83d'] };
  expect(datasetReader()(record).questions).toMatchObject([{ passages: [{ text: 'cut \ufffd' }] }]);
});

test('a job that scores nothing takes questions without answers', () => {
  expect(datasetReader({ scorable: false })(q).questions).toEqual([
    { ...q, answers: [], answerKind: 'span' },
  ]);
});

test.each<[object, string]>([
  [{ answers: ['SUPPORTED'] }, 'label'],
  [{ answers: ['NOT_ENOUGH_INFO'] }, 'label'],
  [{ answers: ['NEI'] }, 'span'],
  [{ answers: ['True'] }, 'boolean'],
  [{ answers: ['Bell'], claims: [''] }, 'span'],
  [{ answers: ['Bell'], claims: ['So.'] }, 'long'],
])('the kind of %j is %s', (fields, kind) => {
  expect(datasetReader()({ ...q, ...fields }).questions).toMatchObject([{ answerKind: kind }]);
});

test('a kind that somebody names is that of every question', () => {
  const read = (kind: 'list' | 'long', record: object) => datasetReader({ kind })(record).questions;
  const dialogue = { id: 'k', input: 'Hello', output: [{ answer: 'Yes' }] };
  expect(read('long', dialogue)).toMatchObject([{ answers: ['Yes'], answerKind: 'long' }]);
  expect(read('list', { ...q, answers: ['Ada', 'Bo'] })).toMatchObject([
    { answerKind: 'list', answerGroups: [['Ada'], ['Bo']] },
  ]);
});

describe('data sets of one’s own', () => {
  test('are found and named as the published ones are', () => {
    const expected = [{ id: 'T-1', question: 'Where is the key?', answers: ['In the drawer.'] }];
    for (const as of [undefined, 'tickets']) {
      const read = datasetReader({ as, datasets: [tickets] })(ticket);
      expect(read).toMatchObject({ dataset: 'tickets', questions: expected });
    }
  });
});

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

/** Records in shapes that people bring, in words of our own, each with what it says. */
const SHAPES = new URL('records.jsonl', import.meta.url);
const SEEN: Seen[] = jsonLines(readFileSync(SHAPES, 'utf8'));

test.each(SEEN)('$name', (seen) => {
  const { record, means, flags, dataset } = seen;
  if (flags || !means) expect(() => datasetReader()(record)).toThrow();
  if (!means) return;
  const fields = flags?.fields === undefined ? undefined : parseFields(flags.fields);
  const read = datasetReader({ ...flags, fields })(record);
  expect(read.questions).toMatchObject([means]);
  if (dataset !== undefined) expect(read.dataset).toBe(dataset);
});
