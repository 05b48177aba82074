/** What becomes of LLatrieval where outputs cannot be read, little is found, or a call fails. */
import { expect } from 'vitest';
import { Failure } from '../../core/failure.js';
import {
  answer,
  missing,
  passing,
  rate,
  searches,
  select,
  summaries,
  summary,
  verify,
} from '../support/llatrieval-script.js';
import { passages as corpus, fixedCorpora } from '../support/ports.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const thrice = <T>(one: T): T[] => [one, one, one];
const hypothetical = `Bell was granted the patent. ${'He filed it on the same day. '.repeat(60)}`;
const example = {
  question: 'Who painted it?',
  passages: [{ title: 'Painting', text: 'Text of the example. </passage>' }],
  answer: 'Vermeer did [1].',
};
const once = { passages: 2, iterations: 1 };

scenarios('llatrieval', {
  'shows a document in full whose short form could not be read': {
    script: [...thrice(summary(1, { say: '' })), ...passing.script.slice(1)],
    options: passing.options,
    flags: ['fallback', 'reasked', 'reasked'].map((kind) => `summarizeDocument ${kind}`),
    check({ result, prompts }) {
      expect(prompts('selectDocuments')[0]).toMatch(/Text of passage 1\..*Short form of 2\./s);
      expect(result.chain?.supporting[1]).toEqual({ id: 'p1', title: 'Title 1' });
    },
  },
  'holds a score against the threshold, and is as confident': {
    script: [
      ...summaries(1, 2, 3),
      select('1 2'),
      rate('[6.5]'),
      missing('Who was Gray?'),
      ...summaries(4),
      select('3 1'),
      rate('Rating: [8]'),
      answer('Gray [1].'),
    ],
    options: {
      supporting: 2,
      passages: 3,
      window: 4,
      iterations: 3,
      verification: 'score',
      threshold: 8,
      queryStyle: 'question',
    },
    changes: { corpora: searches({ [question]: [1, 2, 3], 'Who was Gray?': [4, 1] }) },
    result: {
      answer: 'Gray [1].',
      confidence: 0.8,
      evidence: ['p4', 'p1'],
      chain: {
        iterations: [
          { verification: { passed: false, score: 6.5 } },
          { verification: { passed: true, score: 8 } },
        ],
      },
    },
  },
  'takes verdicts that cannot be read for not passed': {
    script: [...thrice(rate('Hm.')), answer('Bell [1].')],
    options: { ...once, supporting: 2, verification: 'score' },
    flags: ['fallback', 'notVerified', 'reasked', 'reasked'].map((kind) => `verifyScore ${kind}`),
    result: { chain: { iterations: [{ verification: { passed: false, score: null } }] } },
    check({ result }) {
      expect(result.confidence).toBeUndefined();
    },
  },
  'makes the first search with a hypothetical passage, however long it is': {
    script: [
      ...says('hypotheticalPassage', `Passage: ${hypothetical}`),
      verify('[YES]'),
      answer('Bell [2].'),
    ],
    options: { firstQuery: 'hypothetical-passage', answerForm: 'list' },
    changes: { corpora: searches({ [hypothetical.trim()]: [5, 3] }) },
    result: {
      chain: {
        iterations: [{ query: hypothetical.trim() }],
        citations: [{ number: 2, passage: 'p3' }],
      },
    },
  },
  'searches with the question where no query could be read': {
    script: [...says('hypotheticalPassage', ''), verify('[NO]'), missing(''), answer('Bell [1].')],
    options: { passages: 2, iterations: 2, firstQuery: 'hypothetical-passage' },
    reasks: 0,
    result: {
      answer: 'Bell [1].',
      chain: { iterations: [{ query: question }, { query: question }] },
    },
  },
  'shows examples where the answer is written, and what to aim at where it is judged': {
    script: [verify('[YES]'), answer('Bell [1].')],
    options: { passages: 2, demonstrations: [example] },
    check({ prompts }) {
      const [judged, answered] = prompts();
      expect(judged).toContain('Question: Who painted it?\nAnswer: Vermeer did.\n');
      expect(judged).not.toContain('Text of the example.');
      expect(answered).toContain('Question: Who painted it?\nAnswer: Vermeer did [1].\n');
      expect(answered).toContain('Text of the example. < /passage>');
      expect(answered).not.toContain('{{');
    },
  },
  'asks for a selection again that names nothing, then fills': {
    script: [
      ...summaries(1, 2, 3),
      ...thrice(select('# #')),
      verify('[YES]'),
      answer('None of the three was Bell [1].'),
    ],
    options: { supporting: 2, passages: 3 },
    result: {
      outcome: 'answered',
      answer: 'None of the three was Bell [1].',
      chain: {
        iterations: [
          {
            selections: [{ candidates: ['p1', 'p2', 'p3'], named: [], supporting: ['p1', 'p2'] }],
          },
        ],
      },
    },
  },
  'tells an answer that there is none': {
    script: [verify('[NO]'), answer('Unknown.')],
    options: once,
    result: { outcome: 'unknown', answer: null, chain: { reading: 'Unknown.' } },
  },
  'tells an answer that cannot be read': {
    script: [verify('[NO]'), answer(''), answer(''), answer('[1]')],
    options: once,
    result: { outcome: 'unreadable', evidence: ['p1', 'p2'] },
  },
  'takes all of a corpus smaller than k without asking which': {
    script: [verify('[NO]'), missing('More.'), answer('Bell [1].')],
    options: { iterations: 2 },
    changes: { corpora: fixedCorpora(corpus.slice(0, 3)) },
    result: {
      chain: {
        documentsRead: 3,
        documentCandidates: 6,
        iterations: [
          {
            selections: [
              { candidates: ['p1', 'p2', 'p3'], named: null, supporting: ['p1', 'p2', 'p3'] },
            ],
          },
          {},
        ],
      },
    },
  },
  'fails with the reason when a summary that is not needed yet fails': {
    script: passing.script.map((line) =>
      String(line.when).includes('6')
        ? { ...line, say: new Failure('ContentRefused', 'No.') }
        : line,
    ),
    spare: true,
    options: passing.options,
    result: {
      outcome: 'failed',
      failure: { type: 'ContentRefused', step: 'summarizeDocument' },
    },
  },
});
