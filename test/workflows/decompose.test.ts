import { expect } from 'vitest';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

/** What each query of the tests finds. */
const FOUND: Record<string, string[]> = {
  [question]: ['p1', 'p2'],
  'Who was granted the patent?': ['p3', 'p4'],
  'Where was Bell born?': ['p5', 'p3'],
  'When did Bell come to Boston?': ['p6'],
};
const finds = (query: string) => FOUND[query] ?? ['p9'];

const two = '1. Who was granted the patent?\n2. Where was #1 born?';

scenarios('decompose', {
  /** Worked out by hand. The second sub-question is asked with the first one's answer. */
  'answers sub-questions in order, each over its own passages, then the question': {
    script: [
      ...says('decomposeQuestion', two),
      ...says('answerSubQuestion', 'Bell [2]', 'Edinburgh [2][1]'),
      ...says('answerFromSubQuestions', 'Scotland'),
    ],
    finds,
    asked: { decomposeQuestion: 1, answerSubQuestion: 2, answerFromSubQuestions: 1 },
    queries: ['Who was granted the patent?', 'Where was Bell born?'],
    result: {
      outcome: 'answered',
      answer: 'Scotland',
      flags: [],
      // What the answers cite, each passage once.
      evidence: ['p4', 'p3', 'p5'],
      chain: {
        subQuestions: [
          { question: 'Who was granted the patent?', answer: 'Bell', evidence: ['p4'] },
          {
            written: 'Where was #1 born?',
            question: 'Where was Bell born?',
            answer: 'Edinburgh',
            evidence: ['p3', 'p5'],
          },
        ],
        reading: 'Scotland',
      },
    },
    check({ prompts }) {
      const [last = ''] = prompts('answerFromSubQuestions');
      expect(last.match(/^Title: .*$/gm)?.map((line) => line.slice(-1))).toEqual(['4', '3', '5']);
      expect(last).toContain('Question: Where was Bell born?\nAnswer: Edinburgh [2][3]\n');
    },
  },
  'fills in every answer that is named, and asks what names none at once': {
    script: [
      ...says('decomposeQuestion', `${two}\n3. When did #1 come to Boston?`),
      // Each is answered by what its prompt asks, whichever comes first.
      { step: 'answerSubQuestion', when: /granted the patent/, say: 'Bell [1]', delayMs: 5 },
      { step: 'answerSubQuestion', when: /Bell born/, say: 'Edinburgh [1]' },
      { step: 'answerSubQuestion', when: /Bell come/, say: '1871 [1]' },
      ...says('answerFromSubQuestions', '1871'),
    ],
    finds,
    result: { answer: '1871', evidence: ['p3', 'p5', 'p6'] },
  },
  'puts the question in the place of an answer that there is not': {
    script: [
      ...says('decomposeQuestion', two),
      ...says('answerSubQuestion', 'unknown', 'Edinburgh'),
      ...says('answerFromSubQuestions', 'Scotland'),
    ],
    finds,
    queries: ['Who was granted the patent?', 'Where was Who was granted the patent born?'],
    result: {
      chain: { subQuestions: [{ answer: null, evidence: ['p3', 'p4'] }, { evidence: ['p9'] }] },
    },
  },
  'leaves a number as it is that names no earlier one, or that the question has': {
    script: [
      ...says('decomposeQuestion', '1. Who had the #1 hit?\n2. Did #2 or #7 follow the #1 hit?'),
      ...says('answerSubQuestion', 'Ada', 'Bo'),
      ...says('answerFromSubQuestions', 'Bo'),
    ],
    input: { question: 'Who followed the #1 hit?' },
    finds,
    queries: ['Who had the #1 hit?', 'Did #2 or #7 follow the #1 hit?'],
  },
  'reads a question without sub-questions as base does': {
    script: [...says('decomposeQuestion', 'None'), ...says('read', 'Bell')],
    finds,
    asked: { decomposeQuestion: 1, read: 1 },
    queries: [question],
    result: {
      answer: 'Bell',
      flags: [],
      evidence: ['p1', 'p2'],
      chain: { subQuestions: [], reading: 'Bell' },
    },
  },
  'does the same where no sub-question can be read, and flags it': {
    script: [...says('decomposeQuestion', 'It asks for one fact only.'), ...says('read', 'Bell')],
    reasks: 0,
    finds,
    flags: ['decomposeQuestion fallback'],
    result: { answer: 'Bell', chain: { subQuestions: [] } },
  },
  'goes on with an answer that cannot be read as with one that there is not': {
    script: [
      ...says('decomposeQuestion', two),
      ...says('answerSubQuestion', '...', 'Edinburgh [1]'),
      ...says('answerFromSubQuestions', 'Scotland'),
    ],
    reasks: 0,
    finds,
    flags: ['answerSubQuestion fallback'],
    result: { answer: 'Scotland', evidence: ['p3', 'p4', 'p9'] },
  },
  'flags citations of passages that there are not': {
    script: [
      ...says('decomposeQuestion', '1. Who was granted the patent?\n2. Where?'),
      ...says('answerSubQuestion', 'Bell [1][8]', 'Boston [9]'),
      ...says('answerFromSubQuestions', 'Bell'),
    ],
    finds,
    flags: ['answerSubQuestion unknownCitations', 'answerSubQuestion unknownCitations'],
    // The second cites nothing that it was shown, so that it rests on all of it.
    result: { evidence: ['p3', 'p9'] },
  },
  'is unknown where they do not tell, and unreadable where the last call is': {
    script: [
      ...says('decomposeQuestion', two),
      ...says('answerSubQuestion', 'Bell', 'unknown'),
      ...says('answerFromSubQuestions', 'unknown'),
    ],
    result: { outcome: 'unknown', answer: null },
  },
});
