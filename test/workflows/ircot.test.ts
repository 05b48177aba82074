import { expect, it } from 'vitest';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { says } from '../support/run-scripted.js';
import { play, scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const thinks = (...thoughts: string[]) =>
  says('nextThought', ...thoughts.map((thought) => `Thought: ${thought}`));
const concludes = (answer: string) => says('nextThought', `Answer: ${answer}`);
const reasons = (answer: string) => says('reason', `It is so.\nAnswer: ${answer}`);

/** What each query of the tests finds. */
const FOUND: Record<string, string[]> = {
  [question]: ['p1', 'p2'],
  'Gray filed a caveat.': ['p2', 'p3'],
  'Bell filed on the same day.': ['p4', 'p3'],
  'It was in February.': ['p1', 'p3'],
  'It was in 1876.': ['p2'],
};
const finds = (query: string) => FOUND[query] ?? ['p9'];

const demonstrations = [
  { question: 'Who wrote it?', thoughts: ['It is a novel.', 'Its author is A.'], answer: 'A' },
];

scenarios('ircot', {
  /**
   * Worked out by hand. The question finds p1 and p2, the first thought p3 beside p2, the second p4
   * beside p3; the third asking gives an answer, which is read anew from the four passages.
   */
  'thinks and searches by turns, then reads what was gathered': {
    script: [
      ...thinks('Gray filed a caveat.', 'Bell filed on the same day.'),
      ...concludes('Gray'),
      ...reasons('Bell'),
    ],
    options: { passages: 2 },
    finds,
    asked: { nextThought: 3, reason: 1 },
    queries: [question, 'Gray filed a caveat.', 'Bell filed on the same day.'],
    result: {
      method: 'ircot',
      outcome: 'answered',
      answer: 'Bell',
      retrievals: 3,
      flags: [],
      evidence: ['p1', 'p2', 'p3', 'p4'],
      chain: {
        thoughts: [
          { text: 'Gray filed a caveat.', brought: ['p3'] },
          { text: 'Bell filed on the same day.', brought: ['p4'] },
        ],
        ended: 'answer',
        concluded: 'Gray',
        reasoning: 'It is so.',
        reading: 'Bell',
      },
    },
    check({ prompts }) {
      const [first, second, third, last] = prompts();
      const shown = (prompt = '') => prompt.match(/^Title: .*$/gm)?.map((line) => line.slice(-1));
      expect([first, second, third, last].map(shown)).toEqual([
        ['1', '2'],
        ['1', '2', '3'],
        ['1', '2', '3', '4'],
        ['1', '2', '3', '4'],
      ]);
      expect(first).not.toContain('<thought');
      expect(third).toContain('<thought number="2">\nBell filed on the same day.\n</thought>');
      // The reader judges by the passages alone.
      expect(last).not.toContain('caveat');
    },
  },
  'goes on after one thought that brought nothing new': {
    script: [
      ...thinks('It was in 1876.', 'Gray filed a caveat.'),
      ...concludes('Bell'),
      ...reasons('Bell'),
    ],
    options: { passages: 2 },
    finds,
    result: { chain: { thoughts: [{ brought: [] }, { brought: ['p3'] }] } },
  },
  'keeps the first of what a thought finds where there is no room for all': {
    script: [...thinks('Bell filed on the same day.'), ...reasons('Bell')],
    options: { passages: 2, maxPassages: 3 },
    finds,
    result: { evidence: ['p1', 'p2', 'p4'] },
  },
  'reads directly where that is asked for, and shows examples to the thoughts': {
    script: [...concludes('Gray'), ...says('read', 'Bell')],
    options: { reader: 'direct', demonstrations },
    result: { answer: 'Bell', chain: { reasoning: null, reading: 'Bell' } },
    check({ prompts }) {
      expect(prompts('nextThought')[0]).toContain(
        'Question: Who wrote it?\nThought: It is a novel.\nThought: Its author is A.\nAnswer: A\n',
      );
      expect(prompts('read')[0]).not.toContain('It is a novel.');
    },
  },
  'searches with the last sentence that is no conclusion, or with the question': {
    script: [
      ...thinks('Thus there are two of them.', 'Gray filed a caveat. So Bell was not alone.'),
      ...says('nextThought', 'Therefore both filed in 1876. Gray came later.'),
      ...says('nextThought', 'Thought: So the answer is: Bell.'),
      ...reasons('Bell'),
    ],
    options: { passages: 2 },
    finds,
    queries: [question, question, 'Gray filed a caveat.', 'Gray filed a caveat.'],
    result: {
      chain: {
        thoughts: [
          { text: 'Thus there are two of them.', brought: [] },
          { text: 'Gray filed a caveat. So Bell was not alone.', brought: ['p3'] },
          { text: 'Therefore both filed in 1876.', brought: [] },
        ],
        ended: 'answer',
        concluded: 'Bell',
      },
    },
  },
  'is unreadable where its reader is': {
    script: [...concludes('Bell'), ...says('reason', 'Well.')],
    reasks: 0,
    result: { outcome: 'unreadable', answer: null },
  },
  'is unknown where its reader knows nothing': {
    script: [...concludes('Bell'), ...says('reason', 'Answer: unknown')],
    result: { outcome: 'unknown', answer: null },
  },
});

it.each<[ended: string, options: object, thoughts: number, outputs: ScriptedReply[]]>([
  ['passages', { maxPassages: 3 }, 1, thinks('Gray filed a caveat.')],
  ['passages', { maxPassages: 2 }, 0, []],
  ['thoughts', { maxThoughts: 1 }, 1, thinks('Gray filed a caveat.')],
  ['repeated', {}, 1, thinks('Gray filed a caveat.', 'gray filed the caveat')],
  ['nothingNew', {}, 3, thinks('Gray filed a caveat.', 'It was in February.', 'It was in 1876.')],
  ['unreadable', {}, 0, says('nextThought', 'Bell.')],
])('ends by %s with %j', async (ended, options, thoughts, outputs) => {
  await play('ircot', {
    script: [...outputs, ...reasons('Bell')],
    options: { passages: 2, ...options },
    reasks: 0,
    finds,
    result: { answer: 'Bell', chain: { ended, concluded: null, thoughts: { length: thoughts } } },
  });
});
