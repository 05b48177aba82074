import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

/** What each query of the tests finds. */
const FOUND: Record<string, string[]> = {
  [question]: ['p1', 'p2'],
  'Bell patent': ['p3', 'p2', 'p4'],
  'Gray caveat': ['p5', 'p4'],
  'Meucci caveat': ['p4', 'p6'],
};
const finds = (query: string) => FOUND[query] ?? [];

const three = '1. Bell patent\n2. Gray caveat\n3. Meucci caveat';

scenarios('rewriteRetrieveRead', {
  /** Worked out by hand: the first of each search, then the second of each, none twice. */
  'searches with every query, and reads what they find in turns': {
    script: [...says('rewriteQuestion', three), ...says('read', 'Bell')],
    finds,
    asked: { rewriteQuestion: 1, read: 1 },
    queries: ['Bell patent', 'Gray caveat', 'Meucci caveat'],
    result: {
      outcome: 'answered',
      answer: 'Bell',
      flags: [],
      evidence: ['p3', 'p5', 'p4', 'p2', 'p6'],
      chain: {
        searches: [
          { query: 'Bell patent', found: ['p3', 'p2', 'p4'] },
          { query: 'Gray caveat', found: ['p5', 'p4'] },
          { query: 'Meucci caveat', found: ['p4', 'p6'] },
        ],
        reading: 'Bell',
      },
    },
  },
  'joins by reciprocal rank: what several searches find comes first': {
    script: [...says('rewriteQuestion', three), ...says('read', 'Bell')],
    options: { join: 'rank' },
    finds,
    result: { evidence: ['p4', 'p3', 'p5', 'p2', 'p6'] },
  },
  'reads no more than N of all that is found': {
    script: [...says('rewriteQuestion', three), ...says('read', 'Bell')],
    options: { passages: 2 },
    finds,
    result: { evidence: ['p3', 'p5'] },
  },
  'takes the paper’s form, and searches with equal queries once and with no more than were asked for':
    {
      script: [
        ...says(
          'rewriteQuestion',
          'Thought: who was granted it?\nQuery: Bell patent; bell patent; Gray caveat; Meucci caveat**',
        ),
        ...says('read', 'Bell'),
      ],
      options: { queries: 2 },
      finds,
      queries: ['Bell patent', 'Gray caveat'],
    },
  'searches with the question where no query can be read, and flags it': {
    script: [...says('rewriteQuestion', '...'), ...says('read', 'Bell')],
    reasks: 0,
    finds,
    queries: [question],
    flags: ['rewriteQuestion fallback'],
    result: { answer: 'Bell', chain: { searches: [{ query: question, found: ['p1', 'p2'] }] } },
  },
  'cites what it read where that is asked for': {
    script: [
      ...says('rewriteQuestion', 'Gray caveat'),
      ...says('answerWithCitations', 'It was Bell [2].'),
    ],
    options: { answerForm: 'prose' },
    finds,
    result: { answer: 'It was Bell [2].', chain: { citations: [{ number: 2, passage: 'p4' }] } },
  },
  'is unreadable where its reader is': {
    script: [...says('rewriteQuestion', 'Gray caveat'), ...says('read', '')],
    reasks: 0,
    result: { outcome: 'unreadable', answer: null },
  },
});
