/** Further records in shapes of our own: read as they say, by a mapping where they need one, or refused. */
import { expect, test } from 'vitest';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { parseFields } from '../../../evaluation/dataset/map-fields.js';

const question = 'Who built the bridge?';
const ada = { question, answers: ['Ada'] };

type Row = [name: string, record: object, fields?: string];

/** Nothing of these is read without a flag; those with a mapping mean `ada` by it. */
const REFUSED: Row[] = [
  [
    'a ticket',
    { ticket: 7, title: question, resolution: 'Ada' },
    'question=title,answers=resolution',
  ],
  ['a flash card', { front: question, back: 'Ada' }, 'question=front,answers=back'],
  ['a pair of texts', { q: question, a: 'Ada' }, 'question=q,answers=a'],
  [
    'a quiz show',
    { clue: question, response: 'Ada', value: 200 },
    'question=clue,answers=response',
  ],
  [
    'gold in a list of objects',
    { query: question, gold: [{ surface: 'Ada', votes: 3 }] },
    'question=query,answers=gold[].surface',
  ],
  [
    'a trace',
    { input: { q: question }, target: { text: 'Ada' } },
    'question=input.q,answers=target.text',
  ],
  ['a reviewed answer', { question, answer: 'Bo', approved: false }],
  ['answers of two models', { question, answer: 'Bo', answer_b: 'Cy' }],
  ['an answer with its confidence', { question, answer: 'Bo', confidence: 0.4 }],
  ['an answer that the time has passed', { question, answer: 'Bo', superseded_by: 'Ada' }],
  ['a question without an answer', { question, answers: [] }],
  [
    'an answer that is an object',
    { question, answer: { text: 'Ada' } },
    'question=question,answers=answer.text',
  ],
  [
    'names in capitals',
    { Question: question, Answers: ['Ada'] },
    'question=Question,answers=Answers[]',
  ],
];

function read(record: object, fields?: string): object[] | undefined {
  try {
    return datasetReader(fields === undefined ? {} : { fields: parseFields(fields) })(record)
      .questions;
  } catch {
    return undefined;
  }
}

test.each(REFUSED)('%s is refused, or mapped', (_, record, fields) => {
  expect(read(record)).toBeUndefined();
  if (fields !== undefined) expect(read(record, fields)).toMatchObject([ada]);
});

test.each<Row>([
  ['ours with passages', { id: '1', ...ada, passages: [{ title: 'B', text: 'Ada.' }] }],
  ['FlashRAG', { id: 'test_0', question, golden_answers: ['Ada'], metadata: {} }],
])('%s is read as it is', (_, record) => {
  expect(read(record)).toMatchObject([ada]);
});
