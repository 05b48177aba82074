import { expect, it } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { thinkAndAnswer } from '../../steps/thoughts.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const writes = (...outputs: string[]) => says('thinkAndAnswer', ...outputs);
const finds = (query: string) => (query === question ? ['p1', 'p2'] : ['p2', 'p3']);
const first = 'Gray filed a caveat.\nSo the answer is: Gray';
const second = 'Bell filed on the same day.\nSo the answer is: Bell';

scenarios('iterRetgen', {
  'searches with what it wrote, and reads what that finds in place of what it read': {
    script: writes(first, second),
    finds,
    queries: [question, `Gray filed a caveat. So the answer is: Gray ${question}`],
    result: {
      method: 'iterRetgen',
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p2', 'p3'],
      retrievals: 2,
      usage: { calls: 2 },
      flags: [],
      chain: {
        passages: [{ id: 'p2' }, { id: 'p3' }],
        iterations: [
          {
            query: question,
            passages: [{ id: 'p1' }, { id: 'p2' }],
            output: first,
            answer: 'Gray',
          },
          { passages: [{ id: 'p2' }, { id: 'p3' }], output: second, answer: 'Bell' },
        ],
      },
    },
    check({ prompts }) {
      expect(prompts().map((prompt) => prompt.match(/^Title: .*$/gm))).toEqual([
        ['Title: Title 1', 'Title: Title 2'],
        ['Title: Title 2', 'Title: Title 3'],
      ]);
      // What it wrote is a query, and no part of the next prompt.
      expect(prompts()[1]).not.toContain('caveat');
    },
  },
  'searches with all of an output that cannot be read, and flags it': {
    script: writes('It was either of them,\nperhaps.', 'So the answer is: Bell'),
    reasks: 0,
    finds,
    queries: [question, `It was either of them, perhaps. ${question}`],
    flags: ['thinkAndAnswer fallback'],
    result: { answer: 'Bell', chain: { iterations: [{ answer: null }, {}] } },
  },
  'searches with the question again where nothing was written': {
    script: writes('', 'So the answer is: Bell'),
    reasks: 0,
    finds,
    queries: [question, question],
  },
  'takes the last answer, even none': {
    script: writes(first, 'Well.'),
    reasks: 0,
    finds,
    result: { outcome: 'unreadable', answer: null },
  },
  'takes as many iterations as it is told': {
    script: writes(first, second, 'So the answer is: unknown'),
    options: { iterations: 3, passages: 1 },
    finds: (query) => (query === question ? ['p1'] : query.startsWith('Gray') ? ['p2'] : ['p3']),
    result: {
      outcome: 'unknown',
      retrievals: 3,
      usage: { calls: 3 },
      chain: { iterations: ['p1', 'p2', 'p3'].map((id) => ({ passages: [{ id }] })) },
    },
  },
  'pays once for iterations that read the same': {
    script: writes('So the answer is: Bell'),
    asked: { thinkAndAnswer: 1 },
    result: { answer: 'Bell', usage: { calls: 2, cachedCalls: 1 } },
  },
});

it('takes no answer from an output that was stopped in it, and keeps all of the text', () => {
  const input = { question: 'Who?', passages: [], iteration: 0 };
  const stopped = {
    text: 'Bell filed first. So the answer is: Alexander Gra',
    cut: true,
  };
  expect(outputOf(thinkAndAnswer, input).read(stopped)).toBeUndefined();
  expect(thinkAndAnswer.fallback(stopped, input)).toEqual({ output: stopped.text, answer: null });
});
