import { expect, it } from 'vitest';
import { methods } from '../../interpreters/methods.js';
import { readInDocuments, shortenedReasoning } from '../../steps/think.js';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { type Call, runAlgorithm } from '../../workflows/algorithm.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';

const thinks = (...replies: ScriptedReply['say'][]) => says('think', ...replies);
const takes = (...replies: string[]) =>
  says('readInDocuments', ...replies.map((text) => `Well.\n\n**Final Information**\n\n${text}`));
const asks = (query: string) => `Hmm.\n<|begin_search_query|>${query}<|end_search_query|>`;

const finds = (query: string) => (query === 'Gray caveat' ? ['p2', 'p3'] : ['p1', 'p2']);

scenarios('searchO1', {
  'reads what a search found for the reasoning so far, and goes on with what was taken from it': {
    script: [
      ...thinks(asks('who filed first'), asks('Gray caveat'), 'So it was \\boxed{Bell}.'),
      ...takes('Bell filed in February.', 'Gray filed a caveat.'),
    ],
    options: { passages: 2 },
    finds,
    queries: ['who filed first', 'Gray caveat'],
    asked: { think: 3, readInDocuments: 2 },
    flags: [],
    result: {
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p1', 'p2', 'p3'],
      chain: {
        turns: [
          {
            thought: 'Hmm.',
            query: 'who filed first',
            found: ['p1', 'p2'],
            taken: 'Bell filed in February.',
            refused: null,
          },
          { query: 'Gray caveat', found: ['p2', 'p3'], taken: 'Gray filed a caveat.' },
          { query: null, found: [], taken: null },
        ],
        ended: 'answer',
        askedForAnswer: false,
      },
    },
    check({ prompts }) {
      const [first = '', second = '', third = ''] = prompts('think');
      expect(second).toBe(
        `${first}Hmm.\n<|begin_search_query|>who filed first<|end_search_query|>\n\n<|begin_search_result|>Bell filed in February.<|end_search_result|>\n\n`,
      );
      expect(third.startsWith(second)).toBe(true);
      const [, reading = ''] = prompts('readInDocuments');
      expect(reading).toContain('Title: Title 3\nText of passage 3.');
      expect(reading).toContain('Step 1: Hmm.\n\nStep 2: <|begin_search_query|>who filed first');
      expect(reading).toContain(
        '<|begin_search_query|>Gray caveat<|end_search_query|>\n</reasoning>',
      );
    },
  },
  'searches no query twice, and is told so': {
    script: [
      ...thinks(asks('Gray caveat'), asks('Gray caveat'), '\\boxed{Bell}'),
      ...takes('Nothing of it.'),
    ],
    finds,
    queries: ['Gray caveat'],
    result: { chain: { turns: [{ refused: null }, { refused: 'repeated', found: [] }, {}] } },
    check: ({ prompts }) => expect(prompts('think')[2]).toContain('was searched before'),
  },
  'is told of the limit first, also of a query that was asked before': {
    script: [
      ...thinks(asks('Gray caveat'), asks('who filed first'), asks('Gray caveat'), '\\boxed{Bell}'),
      ...takes('Nothing of it.'),
    ],
    options: { maxSearches: 1 },
    finds,
    queries: ['Gray caveat'],
    result: {
      answer: 'Bell',
      chain: { turns: [{}, { refused: 'limit' }, { refused: 'limit' }, {}] },
    },
  },
  'takes the last box, of an earlier turn as well': {
    script: [
      ...thinks(`Perhaps \\boxed{Gray}, \\boxed{Elisha Gray}. ${asks('Gray caveat')}`, 'So it is.'),
      ...takes('Nothing of it.'),
    ],
    finds,
    asked: { think: 2, readInDocuments: 1 },
    result: { answer: 'Elisha Gray', chain: { ended: 'ended', askedForAnswer: false } },
  },
  'asks for the answer alone where the reasoning ended without one': {
    script: thinks('I am sure that it was somebody.', 'Bell'),
    finds,
    queries: [],
    result: { answer: 'Bell', chain: { turns: [{ query: null }], askedForAnswer: true } },
    check({ prompts }) {
      const [first = '', last = ''] = prompts();
      expect(last.startsWith(`${first}I am sure that it was somebody.\n\nNow I end`)).toBe(true);
    },
  },
  'carries the search of the last turn out, and then asks for the answer': {
    script: [
      ...thinks(asks('who filed first'), asks('Gray caveat'), 'It is \\boxed{Bell}'),
      ...takes('One.', 'Two.'),
    ],
    options: { maxTurns: 2 },
    finds,
    queries: ['who filed first', 'Gray caveat'],
    result: { answer: 'Bell', chain: { ended: 'turns', askedForAnswer: true } },
    check: ({ prompts }) => expect(prompts('think')[2]).toContain('Two.<|end_search_result|>'),
  },
  'is unreadable where the answer is not given when it is asked for': {
    script: thinks('Well.', 'I would have to search for that, and then think about it again.'),
    reasks: 0,
    result: { outcome: 'unreadable', answer: null },
  },
  'asks again for a turn without a word': {
    script: thinks('', ' \n', 'So it was \\boxed{Bell}.'),
    asked: { think: 3 },
    flags: ['think reasked', 'think reasked'],
    result: { answer: 'Bell', chain: { turns: { length: 1 } } },
  },
  'takes no help from a reading without its marker': {
    script: [
      ...thinks(asks('Gray caveat'), '\\boxed{Bell}'),
      ...says('readInDocuments', 'They tell of Gray.'),
    ],
    reasks: 0,
    flags: ['readInDocuments fallback'],
    result: { chain: { turns: [{ taken: 'No helpful information found.' }, {}] } },
  },
  'keeps thoughts between tags, which are the reasoning': {
    script: [
      ...thinks(`<think>\nSo.\n${asks('Gray caveat')}`, 'Yes.\n</think>\nIt is \\boxed{Bell}.'),
      ...takes('It was filed.'),
    ],
    finds,
    result: { answer: 'Bell' },
    check: ({ prompts }) => expect(prompts('think')[1]).toContain('<think>\nSo.\nHmm.'),
  },
});

it('shows the reading a turn that no worker has stored, and keeps it before what was read', async () => {
  const turns: object[] = [
    { thought: '', action: { name: 'search', argument: 'a' }, written: 'W' },
  ];
  const asked: { step: string; input: object }[] = [];
  const perform = async ({ step, input }: Call) => {
    asked.push({ step, input: input as object });
    if (step === 'retrieve') return [{ id: 'p1', title: '', score: 1 }];
    if (step === 'readInDocuments') return { taken: 'x', soFar: 't-2' };
    return turns.shift() ?? { thought: '', action: { name: 'answer', argument: 'Bell' } };
  };
  const { algorithm, options } = methods.searchO1;
  await runAlgorithm(
    algorithm,
    { question: 'Who?', options: options.parse({}) },
    { perform, flag() {} },
  );
  const [, , reading, second] = asked.map(({ input }) => input);
  expect(reading).toMatchObject({ soFar: null, added: [{ written: 'W' }] });
  expect(readInDocuments.transcript?.added?.(reading as never, [])).toBe('W');
  expect(second).toMatchObject({ soFar: 't-2', added: [] });
});

it.each<[lines: number, shown: string[]]>([
  [5, ['1', '2', '3', '4', '5']],
  [6, ['1', '...', '3', '4', '5', '6']],
  [9, ['1', '...', '4', '...', '6', '7', '8', '9']],
])('shows a reasoning of %d lines in parts', (count, shown) => {
  const lines = Array.from({ length: count }, (_, i) =>
    i === 3 && count === 9 ? '<|begin_search_query|>x<|end_search_query|>' : `Line ${i}.`,
  );
  const steps = shortenedReasoning(lines.join('\n\n')).split('\n\n');
  expect(steps.map((step) => /^Step (\d+): /.exec(step)?.[1] ?? step)).toEqual(shown);
});
