/** Mappings: paths, what they take, and how they are refused. */
import { describe, expect, test } from 'vitest';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { mapDataset, parseFields } from '../../../evaluation/dataset/map-fields.js';

const read = (fields: string, record: object) =>
  datasetReader({ fields: parseFields(fields) })(record).questions;

const groups = { answerGroups: [['Ada', 'A. B.'], ['Bo']], answerKind: 'list' };
const passages = ['x', { id: 7, title: 'B', text: 'Ada did.', score: '0.5', url: 'u' }];
const bringing = { q: 'Who?', a: 'Ada', n: 3, p: passages };
const brought = [
  { title: '', text: 'x' },
  { id: '7', title: 'B', text: 'Ada did.', score: 0.5 },
];

test.each<[string, object, object]>([
  ['question=q,answers=a', { q: 'Who?', a: 'Ada' }, { answers: ['Ada'] }],
  ['question=q,answers=a', { q: 'Is it?', a: false }, { answers: ['no'], answerKind: 'boolean' }],
  ['question=q,answers=a', { q: 'How many?', a: 0 }, { answers: ['0'] }],
  ['question=q,answers=a[]', { q: '?', a: ['Ada', 'Ada', 'A. B.'] }, { answers: ['Ada', 'A. B.'] }],
  ['question=q,answers=a[]', { q: 'Who?', a: [['Ada', 'A. B.'], 'Bo'] }, groups],
  ['question=q,answers=a', { q: 'Who?', a: ['Ada', null, ''] }, { answers: ['Ada'] }],
  ['question=q,answers=a.b', { q: 'Who?', a: { b: ['Ada', 3] } }, { answers: ['Ada', '3'] }],
  ['question=q,answers=a', { q: 'Who?', a: [['Ada', 'A. B.'], 'Bo'] }, groups],
  ['question=q,answers=a,passages=p', { q: '?', a: 'x', p: passages }, { passages: brought }],
  ['question=m[-1].text,answers=a', { m: [{}, { text: 'Who?' }], a: 'Ada' }, { question: 'Who?' }],
  ['question=My Question,answers=a', { 'My Question': 'Who?', a: 'Ada' }, { question: 'Who?' }],
  ['question=q,answers=a,id=n,passages=p[]', bringing, { id: '3', passages: brought }],
  [
    'question=q,longAnswers=l',
    { q: 'Why?', l: 'So.' },
    { longAnswers: ['So.'], answerKind: 'long' },
  ],
  ['question=q,answers=a,claims=c[]', { q: 'Why?', a: 'x', c: ['So.'] }, { claims: ['So.'] }],
])('%s of %j', (fields, record, expected) => {
  expect(read(fields, record)).toMatchObject([expected]);
});

describe('refuses', () => {
  test.each<[string, object, string]>([
    [
      'question=q,answers=a[].b',
      { q: 'Who?', a: [{ b: ['Ada'] }] },
      'a[].b: is a list; use a[].b[] for each item',
    ],
    ['question=q,answers=a', { q: 'Who?', a: "['a' ... 'z']" }, 'answers: a list that NumPy'],
    ['question=q,answers=a[]', { q: 'Who?', a: ['b', "['a'\n ...\n 'z']"] }, '(.tolist())'],
    ['question=q,answers=a', { q: 'Who?', a: { text: 'Ada' } }, 'a: must be a text'],
    [
      'question=q,answers=a',
      { q: 'Who?', b: { c: 'Ada' } },
      'answers: are missing, so the question cannot be scored. Its fields are q, b.c',
    ],
    ['question=q,answers=a', { a: 'Ada' }, 'q: is missing or empty. Its fields are a'],
    [
      'question=q[],answers=a',
      { q: ['Who?', 'When?'], a: 'Ada' },
      'q[]: must be a single question',
    ],
    [
      'question=q,answers=a,id=n',
      { q: 'Who?', a: 'Ada' },
      'n: is missing or empty. Its fields are q',
    ],
    [
      'question=q,answers=a,passages=p[]',
      { q: '?', a: 'x', p: [{ body: 'x' }] },
      'p[]: must be a text, or',
    ],
  ])('%s of %j', (fields, record, problem) => {
    expect(() => read(fields, record)).toThrow(problem);
  });

  test.each([
    ['answers=a', '--fields.question: is missing'],
    ['question=q,answer=a', '--fields.answer: there is no such field; did you mean answers?'],
    ['question', '--fields.question: must be a path'],
    ['question=a..b', '--fields.question: must be a path'],
    ['question=q,answers=a]', '--fields.answers: must be a path'],
  ])('the mapping %s', (fields, problem) => {
    expect(() => parseFields(fields)).toThrow(problem);
  });

  test('a mapping beside a name', () => {
    const fields = parseFields('question=q');
    expect(() => datasetReader({ as: 'kilt', fields })).toThrow(
      'fields: cannot be combined with as',
    );
  });
});

test.each(["['Ada', 'A. B.']", '["Ada"]', "{'text': ['Ada']}", "['Ada' 'A. B.']"])(
  'no mapping is proposed that takes the text %s for an answer',
  (answers) => {
    const refusal = () => datasetReader()({ asked: { question: 'Who?' }, gold: { answers } });
    expect(refusal).toThrow('it fits no data set');
    expect(refusal).not.toThrow('--fields');
  },
);

test('a mapping with a name is taken by it, and never found', () => {
  const fields = { question: 'q', answers: 'a' };
  const datasets = [mapDataset({ name: 'tickets', fields, kind: 'long' })];
  const record = { q: 'Why?', a: 'So.' };
  const read = datasetReader({ as: 'tickets', datasets })(record);
  expect(read).toMatchObject({
    dataset: 'question=q,answers=a',
    unused: [],
    questions: [{ question: 'Why?', answers: ['So.'], answerKind: 'long' }],
  });
  expect(() => datasetReader({ datasets })(record)).toThrow('it fits no data set');
});
