/** What steps read and show, beside what the types of their outputs read (`outputs.jsonl`). */
import { expect, test } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { STEP_NAMES, stepNamed } from '../../steps/table.js';

test('a generated document is read on one line', () => {
  const documents = ['Bell filed.\n\n- in 1876\r\n- in Boston'];
  const shown = stepNamed('readBackground')?.passages?.({ passages: ['p1'], documents });
  expect(shown).toEqual([
    'p1',
    { id: 'document-1', title: '', text: 'Bell filed. - in 1876 - in Boston' },
  ]);
});

test.each(STEP_NAMES)('%s has a schema that is JSON', (name) => {
  const input = {
    question: '',
    passages: ['p1'],
    documents: ['p1'],
    candidates: ['Bell'],
    choices: ['Bell'],
    history: [],
    count: 2,
    k: 0,
    premise: [],
    protocol: 'search-r1',
  };
  const step = stepNamed(name);
  const schema = step && outputOf(step, input).schema;
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

const unsure = { history: [], answer: 'Bell' };

test.each<[step: string, input: object, said: string, value?: unknown]>([
  ['followUp', { last: true }, 'So the final answer is: Bell', { answer: 'Bell' }],
  ['followUp', { last: true }, 'Bell', { answer: 'Bell' }],
  ['followUp', { last: true }, 'Follow up: Who filed first?'],
  ['followUp', { last: false }, 'So the final answer is Bell.', { answer: 'Bell' }],
  ['selfAsk', {}, 'So the final answer is Bell.', { followUps: [], answer: 'Bell' }],
  ['nextThought', {}, 'So the answer is: Bell', { answer: 'Bell' }],
  ['askSubQueries', { history: [], count: 2 }, '1. None', []],
  ['scoreAnswer', unsure, 'Probability: 0.8', 0.8],
  ['summarizeDocument', {}, '**Irrelevant.**', 'irrelevant'],
])('%s %j: %j', (name, input, said, value) => {
  const step = stepNamed(name);
  expect(step && outputOf(step, input).read({ text: said, cut: false })).toEqual(value);
});
