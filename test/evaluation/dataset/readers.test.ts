/** Declared data sets: an example of each (`examples.jsonl`), and records of theirs that look different. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { DATASETS } from '../../../evaluation/dataset/readers/index.js';
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

describe('refuses', () => {
  test.each<[unknown, string]>([
    [[], 'it is not an object'],
    [null, 'it is not an object'],
    [{ id: 'a', answers: ['x'] }, 'question: is missing'],
    [{ id: 'a', question: ' ', answers: ['x'] }, 'question: must be text that is not empty'],
    [{ id: 'a', question: 'x'.repeat(20_001), answers: ['x'] }, 'question: has more than 20,000'],
    [{ id: '', question: 'Who?', answers: ['x'] }, 'id: '],
    [{ id: 'a', question: 'Who?', answers: 'x' }, 'answers: must be a list'],
    [{ id: 'a', question: 'Who?', answers: [''] }, 'answers: are missing'],
    [{ id: 'a', question: 'Who?', anwsers: ['x'] }, 'unknown fields: anwsers'],
    [
      { question: 'Who?', answers: ['x'], passages: [{ title: 'T' }] },
      'passages[].text: is missing',
    ],
    [{ question: 'Who?', answers: ['x'], answerKind: 'sort' }, 'answerKind: must be '],
    [{ ...q, golden_answers: [3], choices: ['x'] }, 'golden_answers: is not one of the 1 choices'],
    [{ ...q, answers: ['Ada'], answer: 'Bo' }, 'answer: cannot be combined with other answers'],
    [{ question: 'Who?', subject: 'x', choices: ['Bo'], answer: 1 }, 'answer: is not one of the 1'],
  ])('%j', (record, problem) => {
    expect(() => datasetReader()(record)).toThrow(problem);
  });

  test('a record of another data set than those before it', () => {
    const read = datasetReader();
    read({ query: 'Who?', reference_answer: 'Ada' });
    expect(() => read(q)).toThrow('it does not fit llama-index, as the records before it do');
  });

  test('with the nearest, the fields that there are, and the flags that would do', () => {
    const record = { ...q, answers: ['Ada'], extra: 1, passages: [{ text: 'Ada did.', url: 'u' }] };
    expect(() => datasetReader()(record)).toThrow(
      'it fits no data set. The nearest is durable-rag (id, question, answer, answers, passages, passagesRanked, corpusIds, answerKind, answerable, answerGroups, label, longAnswers, claims, fields): unknown fields: passages[].url, extra. Its fields are id, question, answers[], extra, passages[].text, passages[].url. Use --as durable-rag, which keeps extra and leaves passages[].url unused, or map its fields: --fields question=question,answers=answers[]',
    );
    const { unused, questions } = datasetReader({ as: 'durable-rag' })(record);
    expect(unused).toEqual(['passages[].url']);
    expect(questions).toMatchObject([{ passages: [{ text: 'Ada did.' }], fields: { extra: '1' } }]);
  });

  test('without flags where none would do', () => {
    const read = (record: object) => () => datasetReader()({ ...q, ...record });
    expect(read({ answer: '' })).toThrow(/: answer: .*\. Its fields are id, question, answer$/);
    expect(read({ answer: 43 })).toThrow(
      /Map its fields: --fields question=question,answers=answer,id=id \(this was tried and works\)$/,
    );
  });

  test('a name or a kind that there is not', () => {
    expect(() => datasetReader({ kind: 'lost' as 'list' })).toThrow(
      'kind: there is no kind "lost"; did you mean list?',
    );
    expect(() => datasetReader({ as: 'hotpot' })).toThrow(
      'as: there is no data set "hotpot"; did you mean hotpotqa?',
    );
  });
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

  test.each([
    [{ ...tickets, name: 'kilt' }, 'There is already a data set "kilt"'],
    [{ ...tickets, name: 'my tickets' }, 'not "my tickets"'],
  ])('%#', (dataset, problem) => {
    expect(() => datasetReader({ datasets: [dataset] })).toThrow(problem);
  });
});
