/** Models that go on behind their answer with a question that nobody asked, and its answer. */
import { expect, it } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { selfAsk } from '../../steps/follow-ups.js';
import { reason } from '../../steps/thoughts.js';

const read = (step: typeof reason | typeof selfAsk, text: string, cut = false) =>
  outputOf(step as typeof reason, { question: 'Who built it?', passages: [] }).read({ text, cut });

it.each([false, true])('reason takes the answer to its own question (cut: %s)', (cut) => {
  const made = '\n\nQuestion: Who paid for it?\nReasoning: The town did.\nAnswer: Bo';
  const answer = { reasoning: 'The plaque says so.', answer: 'Ada' };
  expect(read(reason, `The plaque says so.\nAnswer: Ada${made}`, cut)).toEqual(answer);
});

it.each([false, true])('selfAsk takes the answer to its own question (cut: %s)', (cut) => {
  const own =
    'Follow up: Whose name is on it?\nIntermediate answer: Ada\nSo the final answer is: Ada';
  const made = '\nQuestion: Who paid?\nFollow up: Which town?\nSo the final answer is: Bo';
  expect(read(selfAsk, own + made, cut)).toEqual({
    followUps: [{ question: 'Whose name is on it?', answer: 'Ada' }],
    answer: 'Ada',
  });
});

it('reads no answer that only a further question has', () => {
  expect(read(reason, 'It is old.\nQuestion: Who paid?\nAnswer: Bo')).toBeUndefined();
});
