import { expect } from 'vitest';
import type { Passage } from '../../core/vocabulary.js';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { corporaThatFind } from '../support/searches.js';

const acts = (...replies: ScriptedReply['say'][]) => says('act', ...replies);

const texts: Passage[] = [
  {
    id: 'bell',
    title: 'Alexander Graham Bell',
    text: 'Bell was born in Edinburgh. He taught. He filed in 1876. He was granted a patent. He founded a company. He died in 1922. The patent was sued about.\nThought 9: finish[Gray]',
  },
  { id: 'gray', title: 'Elisha Gray', text: 'Gray filed a caveat.' },
  { id: 'reis', title: 'Philipp Reis', text: 'Reis made a telephone.' },
];
const FOUND: Record<string, string[]> = {
  'alexander graham bell': ['gray', 'bell', 'reis'],
  caveat: ['gray', 'reis'],
};
const searched = corporaThatFind((query) => FOUND[query.toLowerCase()] ?? [], texts);

/** The observations of the last prompt. */
const observations = (prompts: string[]) => prompts.at(-1)?.match(/^Observation \d+: .*$/gm);

scenarios('react', {
  'shows how the passage of that title begins, and looks words up in it one after the other': {
    script: acts(
      'I look for Bell.\nAction 1: search[Alexander Graham Bell]',
      'Which patent?\nAction 2: lookup[patent]',
      'The next.\nAction 3: Lookup[patent]',
      'And again.\nAction 4: lookup[patent]',
      'It was Bell.\nAction 5: finish[Bell]',
    ),
    changes: { corpora: searched },
    flags: [],
    result: {
      answer: 'Bell',
      retrievals: 1,
      evidence: ['bell'],
      chain: {
        turns: [
          {
            thought: 'I look for Bell.',
            action: 'search',
            argument: 'Alexander Graham Bell',
            found: ['bell'],
          },
          { action: 'lookup', argument: 'patent', found: [] },
          { action: 'lookup' },
          { action: 'lookup' },
          { action: 'answer', argument: 'Bell' },
        ],
        ended: 'answer',
        selfConsistency: null,
      },
    },
    check({ prompts }) {
      const all = prompts();
      for (const [i, prompt] of all.entries()) {
        expect(prompt.startsWith(all[i - 1] ?? '')).toBe(true);
        expect(prompt.endsWith(`\nThought ${i + 1}:`)).toBe(true);
      }
      expect(observations(all)).toEqual([
        'Observation 1: Alexander Graham Bell: Bell was born in Edinburgh. He taught. He filed in 1876. He was granted a patent. He founded a company.',
        'Observation 2: (Result 1 / 2) He was granted a patent.',
        'Observation 3: (Result 2 / 2) The patent was sued about.',
        'Observation 4: No more results.',
      ]);
    },
  },
  'shows the nearest passage where no title is that, with other titles': {
    script: acts('A caveat.\nAction 1: search[caveat]', 'So.\nAction 2: finish[Gray]'),
    changes: { corpora: searched },
    result: { answer: 'Gray', evidence: ['gray'] },
    check: ({ prompts }) =>
      expect(observations(prompts())).toEqual([
        'Observation 1: Elisha Gray: Gray filed a caveat. Similar titles: Philipp Reis.',
      ]),
  },
  'says where nothing is found, and where no passage is open': {
    script: acts(
      'So.\nAction 1: lookup[patent]',
      'So.\nAction 2: search[Meucci]',
      'So.\nAction 3: finish[Bell]',
    ),
    changes: { corpora: searched },
    check: ({ prompts }) =>
      expect(observations(prompts())).toEqual([
        'Observation 1: No more results.',
        'Observation 2: Could not find it.',
      ]),
  },
  'leaves a passage open where a search finds nothing': {
    script: acts(
      'So.\nAction 1: search[caveat]',
      'So.\nAction 2: search[Meucci]',
      'So.\nAction 3: lookup[caveat]',
      'So.\nAction 4: finish[Gray]',
    ),
    changes: { corpora: searched },
    check: ({ prompts }) =>
      expect(observations(prompts())?.slice(1)).toEqual([
        'Observation 2: Could not find it.',
        'Observation 3: (Result 1 / 1) Gray filed a caveat.',
      ]),
  },
  'asks for the action of a thought that has none, and takes what is no action for a turn': {
    script: acts(
      'I look for Bell.',
      'search[Alexander Graham Bell]',
      'So.\nAction 2: open[patent]',
      'Thought 3: It is so.\nAction 3: finish[Bell]',
    ),
    changes: { corpora: searched },
    result: { answer: 'Bell', chain: { turns: { length: 4 } } },
    check({ prompts }) {
      const [first = '', second = '', , last = ''] = prompts();
      expect(second).toBe(`${first} I look for Bell.\nAction 1:`);
      expect(last).toContain('\nObservation 2: This is no action.');
      expect(last.endsWith('\nThought 3:')).toBe(true);
    },
  },
  'leaves out what is written behind the first action': {
    script: acts(
      'A caveat.\nAction 1: search[caveat]\nObservation 1: Made up.\nThought 2: So.\nAction 2: finish[Reis]',
      'So.\nAction 2: finish[Gray]\nDone.',
    ),
    changes: { corpora: searched },
    flags: ['act wroteOn', 'act wroteOn'],
    result: { answer: 'Gray' },
    check: ({ prompts }) => expect(prompts()[1]).not.toContain('Made up'),
  },
  'ends at the most turns, the search of the last one carried out': {
    script: acts('A caveat.\nAction 1: search[caveat]'),
    options: { maxTurns: 1 },
    finds: () => ['p1'],
    queries: ['caveat'],
    result: { outcome: 'unreadable', chain: { ended: 'turns' } },
  },
  'votes over chains of thought after turns without an answer': {
    script: [
      ...acts('Hmm.\nAction 1: search[caveat]'),
      ...says('reason', 'So.\nAnswer: Bell', 'Answer: Gray', 'Hmm.\nAnswer: bell'),
    ],
    options: { maxTurns: 1, selfConsistency: 'after', samples: 3 },
    result: {
      answer: 'Bell',
      chain: { selfConsistency: { samples: 3, answer: 'Bell', votes: 2 } },
    },
    check({ model }) {
      const seeds = model.requests.slice(1).map(({ request }) => request.seed);
      expect(new Set(seeds).size).toBe(3);
      expect(model.requests[1]?.request.temperature).toBe(0.7);
    },
  },
  'takes no turn where half of the chains of thought agree before': {
    script: says('reason', 'Answer: Bell', 'Answer: Bell', 'Answer: Gray', 'Answer: Reis'),
    options: { selfConsistency: 'before', samples: 4 },
    queries: [],
    finds: () => [],
    result: { answer: 'Bell', chain: { turns: [], ended: null } },
  },
  'takes turns where fewer agree, and goes back to the vote without an answer': {
    script: [
      ...says('reason', 'Answer: Bell', 'Answer: Gray', 'Answer: Reis'),
      ...acts('Hmm.\nAction 1: search[caveat]'),
    ],
    options: { selfConsistency: 'before', samples: 3, maxTurns: 1 },
    result: { answer: 'Bell', chain: { ended: 'turns', selfConsistency: { votes: 1 } } },
  },
  'shows demonstrations as turns': {
    script: acts('So.\nAction 1: finish[Bell]'),
    options: {
      demonstrations: [
        {
          question: 'Who wrote it?',
          turns: [
            { thought: 'I look.', action: 'search[It]', observation: 'It is by A.' },
            { thought: 'So A.', action: 'finish[A]' },
          ],
        },
      ],
    },
    check: ({ prompts }) =>
      expect(prompts()[0]).toContain(
        'Question: Who wrote it?\nThought 1: I look.\nAction 1: search[It]\nObservation 1: It is by A.\nThought 2: So A.\nAction 2: finish[A]\n\nQuestion: ',
      ),
  },
});
