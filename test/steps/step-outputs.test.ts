/** What steps take from outputs beside what their types say, which `outputs.jsonl` holds. */
import { expect, test } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { stepNamed } from '../../steps/table.js';

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
