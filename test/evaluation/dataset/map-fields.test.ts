/** Mappings: paths, what they take, and how they are refused. */
import { expect, test } from 'vitest';
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
  expect(() => datasetReader({ datasets })(record)).toThrow('it matches no known data set');
});
