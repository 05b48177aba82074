import { expect } from 'vitest';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const NOTHING = 'No relevant information found';

/** What each query of the tests finds, best first. */
const FOUND: Record<string, string[]> = {
  [question]: ['p8', 'p9'],
  'Who filed first?': ['p1', 'p2', 'p3'],
  'Who was granted it?': ['p4'],
  'When was it?': ['p2', 'p5'],
};
const finds = (query: string) => FOUND[query] ?? [];

const asks = (...queries: string[]) => says('nextSubQuery', ...queries);

/** The answer to a sub-query, whenever it is asked. */
const answers = (query: string, say: string): ScriptedReply => ({
  step: 'answerSubQuery',
  when: new RegExp(`Query: ${query.replace(/[?#]/g, '.')}\\nAnswer:$`),
  say,
});

const three = [
  answers('Who filed first?', 'Bell'),
  answers('Who was granted it?', NOTHING),
  answers('When was it?', '1876'),
];

scenarios('corag', {
  /** As the authors' loop: three sub-queries, each searched, documents with the best one last. */
  'asks, searches and answers by turns, then answers from the pairs': {
    script: [
      ...asks('Who filed first?', 'Who was granted it?', 'When was it?'),
      ...three,
      ...says('answerFromPath', 'Bell'),
    ],
    finds,
    asked: { nextSubQuery: 3, answerSubQuery: 3, answerFromPath: 1 },
    queries: ['Who filed first?', 'Who was granted it?', 'When was it?'],
    result: {
      outcome: 'answered',
      answer: 'Bell',
      flags: [],
      evidence: ['p1', 'p2', 'p3', 'p4', 'p5'],
      chain: {
        paths: [
          {
            subQueries: [{ answer: 'Bell' }, { answer: null }, { answer: '1876' }],
            rating: null,
          },
        ],
        chosen: 0,
        passages: [],
      },
    },
    check({ prompts, model }) {
      const [first = '', second = '', third = ''] = prompts('nextSubQuery');
      expect(first).not.toContain('<query');
      expect(second).toContain('Query: Who filed first?\nAnswer: Bell');
      expect(third).toContain(`Query: Who was granted it?\nAnswer: ${NOTHING}`);
      const [shown = ''] = prompts('answerSubQuery');
      expect(shown.match(/^Title: .*$/gm)?.map((line) => line.slice(-1))).toEqual(['3', '2', '1']);
      expect(prompts('answerFromPath')[0]).not.toContain('<passage');
      expect(model.requests.map(({ request }) => request.temperature)).toEqual(Array(7).fill(0));
    },
  },
  /** The script: in past_subqueries by its very words; the temperature goes back with a new one. */
  'asks a repeated sub-query again at 0.7, and searches it once': {
    script: [
      ...asks('"Who filed first?"', 'Who filed first?', 'Query 2: Who filed first?'),
      ...asks('Who was granted it?', 'When was it?'),
      ...three,
      ...says('answerFromPath', 'Bell'),
    ],
    finds,
    queries: ['Who filed first?', 'Who was granted it?', 'When was it?'],
    check({ model }) {
      const asked = model.requests.filter(({ step }) => step === 'nextSubQuery');
      expect(asked.map(({ request }) => request.temperature)).toEqual([0, 0, 0.7, 0.7, 0]);
      // Each is another sample of the same prompt.
      const seeds = asked.slice(1, 4).map(({ request }) => request.seed);
      expect(new Set(seeds).size).toBe(3);
    },
  },
  'gives up after four calls for each sub-query, whichever they went to': {
    script: [
      ...asks(...Array(8).fill('Who filed first?')),
      answers('Who filed first?', 'Bell'),
      ...says('answerFromPath', 'Bell'),
    ],
    options: { length: 2 },
    finds,
    asked: { nextSubQuery: 8, answerSubQuery: 1, answerFromPath: 1 },
    queries: ['Who filed first?'],
    result: { answer: 'Bell', chain: { paths: [{ subQueries: { length: 1 } }] } },
  },
  'asks again for a sub-query that cannot be read': {
    script: [
      ...asks('...', 'Who filed first?'),
      answers('Who filed first?', 'Bell'),
      ...says('answerFromPath', 'Bell'),
    ],
    options: { length: 1 },
    reasks: 0,
    finds,
    flags: ['nextSubQuery fallback'],
    result: { answer: 'Bell' },
  },
  'shows the last call passages of the question where that is asked for, the best one last': {
    script: [
      ...asks('Who filed first?'),
      answers('Who filed first?', NOTHING),
      ...says('answerFromPath', 'Bell'),
    ],
    options: { length: 1, documents: 2 },
    finds,
    queries: ['Who filed first?', question],
    result: { evidence: ['p8', 'p9', 'p1', 'p2', 'p3'] },
    check({ prompts }) {
      const [last = ''] = prompts('answerFromPath');
      expect(last.match(/^Title: .*$/gm)?.map((line) => line.slice(-1))).toEqual(['9', '8']);
    },
  },
  'answers from the path that is rated best, of equals the first': {
    script: [
      // By sample: the first path is greedy.
      ...asks('Who filed first?', 'Who was granted it?', 'When was it?'),
      ...three,
      { step: 'ratePath', when: /Who filed first/, say: '3' },
      { step: 'ratePath', when: /Who was granted it/, say: '8' },
      { step: 'ratePath', when: /When was it/, say: '8' },
      ...says('answerFromPath', 'Bell'),
    ],
    options: { length: 1, decoding: 'best-of-n', paths: 3 },
    finds,
    asked: { nextSubQuery: 3, answerSubQuery: 3, ratePath: 3, answerFromPath: 1 },
    result: {
      evidence: ['p4'],
      chain: { chosen: 1, paths: [{ rating: 3 }, { rating: 8 }, { rating: 8 }] },
    },
    check({ model }) {
      const asked = model.requests.filter(({ step }) => step === 'nextSubQuery');
      expect(asked.map(({ request }) => request.temperature)).toEqual([0, 0.7, 0.7]);
    },
  },
  'takes a path that cannot be rated for the worst': {
    script: [
      ...asks('Who filed first?', 'Who was granted it?'),
      ...three.slice(0, 2),
      { step: 'ratePath', when: /Who filed first/, say: '...' },
      { step: 'ratePath', when: /Who was granted it/, say: '1' },
      ...says('answerFromPath', 'Bell'),
    ],
    options: { length: 1, decoding: 'best-of-n', paths: 2 },
    reasks: 0,
    finds,
    flags: ['ratePath fallback'],
    result: { chain: { chosen: 1, paths: [{ rating: null }, { rating: 1 }] } },
  },
  /**
   * Worked out by hand. Two are asked for, so three are drawn, and two of them are different. Each is
   * rated by one path that goes on from it; the better one goes on, by two that are rated themselves.
   */
  'searches a tree: keeps of each depth the path whose continuations are rated best': {
    script: [
      ...asks('Who filed first?', 'Who filed first?', 'Who was granted it?'),
      // The paths on from both, in this order.
      ...asks('When was it?', 'When was it?'),
      // The next depth.
      ...asks('Who filed first?', 'When was it?', 'Who else?'),
      answers('Who filed first?', 'Bell'),
      answers('Who filed first?', 'Bell'),
      answers('Who was granted it?', NOTHING),
      answers('When was it?', '1876'),
      { step: 'ratePath', when: /Query: Who filed first.[\s\S]*Query: When/, say: '4' },
      { step: 'ratePath', when: /Query: Who was[\s\S]*Query: When/, say: '6' },
      { step: 'ratePath', when: /Query: Who was[\s\S]*Query: Who filed/, say: '9' },
      ...says('answerFromPath', 'Bell'),
    ],
    options: { length: 2, decoding: 'tree', expand: 2, rollouts: 1 },
    finds,
    spare: true,
    result: {
      answer: 'Bell',
      evidence: ['p4', 'p1', 'p2', 'p3'],
      chain: {
        paths: [
          { subQueries: [{ question: 'Who filed first?' }], rating: 4 },
          { subQueries: [{ question: 'Who was granted it?' }], rating: 6 },
          { subQueries: [{}, { question: 'When was it?' }], rating: 6 },
          { subQueries: [{}, { question: 'Who filed first?' }], rating: 9 },
        ],
        chosen: 3,
      },
    },
  },
  'is unreadable where its reader is': {
    script: [
      ...asks('Who filed first?'),
      answers('Who filed first?', 'Bell'),
      ...says('answerFromPath', ''),
    ],
    options: { length: 1 },
    reasks: 0,
    result: { outcome: 'unreadable', answer: null },
  },
});
