/** What the dry run says of how a file was read. */
import { expect, test } from 'vitest';
import { DatasetSummary } from '../../../cli/run/describe-dataset.js';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import type { ReadOptions } from '../../../evaluation/dataset/read-dataset.js';

function described(record: object, options: ReadOptions): string {
  const summary = new DatasetSummary();
  summary.add(datasetReader(options)(record));
  return summary.lines('data.jsonl').join('\n');
}

const ticket = {
  ticket: 'T-1',
  inputs: { question: 'Who?' },
  outputs: { answer: ['Ada', 'A. B.'] },
};
const fields = { id: 'ticket', question: 'inputs.question', answers: 'outputs.answer[]' };

test.each<[object, ReadOptions, string]>([
  [
    { id: 'c', question: 'Who?', answer: ['Ada( B\\.)?'] },
    {},
    `Data set   data.jsonl, read as durable-rag
  span     1 (no passages of their own), for example c:
           Who? => Ada( B\\.)?`,
  ],
  [
    ticket,
    { fields },
    `Data set   data.jsonl, read as question=inputs.question,id=ticket,answers=outputs.answer[]
  span     1 (no passages of their own), for example T-1:
           Who? => Ada / A. B.`,
  ],
  [
    {
      id: 'q',
      question: 'Who?',
      answers: ['Ada'],
      level: 'easy',
      passages: [{ text: 'Ada did.', url: 'u' }],
    },
    { as: 'durable-rag' },
    `Data set   data.jsonl, read as durable-rag
  span     1 (1 with passages of their own), for example q:
           Who? => Ada | 1 passage
Kept       level (1 value)
Not used   passages[].url (1)`,
  ],
])('%j', (record, options, lines) => {
  expect(described(record, options)).toBe(lines);
});
