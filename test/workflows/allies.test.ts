import { expect } from 'vitest';
import type { Passage } from '../../core/vocabulary.js';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { fixedCorpora } from '../support/ports.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { corporaThatFind } from '../support/searches.js';

const question = 'Who got the first patent for the telephone?';
const when = 'When was the patent granted?';
const caveat = 'Who filed a caveat?';
const contested = 'Was the patent contested?';
const number = 'Who held patent 174,465?';

/** Two passages for each of the queries, p1 and p2 for the first, and so on. */
const corpus: Passage[] = [question, when, caveat, contested, number].flatMap((query, i) =>
  [1, 2].map((n) => ({ id: `p${2 * i + n}`, title: query, text: `Passage ${2 * i + n} on it.` })),
);
const byQuery = corporaThatFind(
  (query) => corpus.filter(({ title }) => title === query).map(({ id }) => id),
  corpus,
);

/** Matches the prompts that show evidence for exactly these queries. */
function restingOn(...queries: string[]): RegExp {
  const pairs = queries.map((query, i) => `number="${i + 1}">\\nQuery: ${literal(query)}\\n[^]*`);
  return new RegExp(
    queries.length === 0 ? '^Task:' : `${pairs.join('')}(?<!number="${queries.length + 1}"[^]*)$`,
  );
}

function literal(text: string): string {
  return text.replace(/[?.]/g, '\\$&');
}

/** The answer and the score of the state that rests on these queries. */
function judged(queries: string[], answer: string, ...scores: string[]): ScriptedReply[] {
  return [
    { step: 'answerWithEvidence', when: restingOn(...queries), say: answer },
    ...scores.map(
      (say): ScriptedReply => ({ step: 'scoreAnswer', when: restingOn(...queries), say }),
    ),
  ];
}

function condensed(query: string, say: string): ScriptedReply {
  return { step: 'condenseEvidence', when: new RegExp(`Title: ${literal(query)}`), say };
}

function asks(queries: string[], ...says: string[]): ScriptedReply[] {
  return says.map((say) => ({ step: 'askSubQueries', when: restingOn(...queries), say }));
}

/** Seeds that score low, with nothing asked of them yet. */
const seeds: ScriptedReply[] = [
  ...judged([], 'Gray', '0.2'),
  condensed(question, 'Bell got it.'),
  ...judged([question], 'Bell', '0.5'),
];

const changes = { corpora: byQuery };

/**
 * Algorithm 1 by hand, with the defaults K=2, D=2, N=2, S=0.8, B=2.
 *
 * | state | parent | sub-query | answer | score |
 * | --- | --- | --- | --- | --- |
 * | 0 | | none: what the model knows | Gray | 0.9: no seed ends the search (line 21 is inside the loop) |
 * | 1 | | the question (line 5) | Bell | 0.5 |
 * | 2 | 0 | the question: new to state 0, whose Q is empty | Bell | 0.5, as of state 1 |
 * | 3 | 0 | when | Bell | 0.7 |
 * | 4 | 1 | caveat: the question, named first, is in Q already | Elisha Gray | 0.7 |
 * | 5 | 1 | contested: K new ones, the fourth is one too many | Meucci | unreadable: 0 |
 *
 * Of depth 1 states 3 and 4 are kept, on a tie the earlier parent first; below S, so on to depth 2.
 *
 * | 6 | 3 | number | A. G. Bell | 0.6 |
 * | | 4 | none could be read | | |
 *
 * S_2 holds state 6 alone. Line 26 looks at S_D only: its 0.6 is the answer, though 0, 3 and 4 are
 * better.
 */
const golden: ScriptedReply[] = [
  ...judged([], 'Gray', '0.9'),
  condensed(question, 'Bell got it.'),
  ...judged([question], 'Bell', '0.5'),
  ...asks([], `Ranked Questions:\n1. ${question}\n2. ${when}`),
  ...asks(
    [question],
    `1. who got the first patent for the telephone\n2. ${caveat}\n3. ${contested}\n4. ${number}`,
  ),
  condensed(question, 'Bell got it.'),
  ...judged([question], 'Bell', '0.5'),
  condensed(when, 'It was in 1876.'),
  ...judged([when], 'Bell', 'Score: 0.7'),
  condensed(caveat, 'Gray filed one.'),
  ...judged([question, caveat], 'Elisha Gray', '0.7'),
  condensed(contested, 'Meucci did.'),
  ...judged([question, contested], 'Meucci', 'High', 'High', 'High'),
  ...asks([when], `1. ${number}`),
  ...asks([question, caveat], 'I need nothing more.', 'I need nothing more.', 'Nothing.'),
  condensed(number, 'A. G. Bell held it.'),
  ...judged([when, number], 'A. G. Bell', '0.6'),
];

const document = (query: string, say: string): ScriptedReply => ({
  step: 'generateDocument',
  when: new RegExp(`Question: ${literal(query)}\nDocument`),
  say,
});

scenarios('allies', {
  'follows the algorithm and gives every state': {
    script: golden,
    changes,
    input: { cache: false },
    asked: {
      answerWithEvidence: 7,
      scoreAnswer: 7 + 2,
      askSubQueries: 4 + 2,
      condenseEvidence: 6,
    },
    flags: ['askSubQueries', 'scoreAnswer'].flatMap((step) =>
      ['fallback', 'reasked', 'reasked'].map((kind) => `${step} ${kind}`),
    ),
    result: {
      method: 'allies',
      outcome: 'answered',
      answer: 'A. G. Bell',
      confidence: 0.6,
      evidence: ['p3', 'p4', 'p9', 'p10'],
      retrievals: 6,
      usage: { calls: 28 },
      chain: { chosen: 6, stopped: 'depth' },
    },
    check({ result, model, prompts }) {
      const { states = [] } = result.chain ?? {};
      expect(
        states.map(({ id, depth, parent, subQuery, evidence, answer, score, kept, flags }) => [
          id,
          depth,
          parent,
          subQuery,
          evidence,
          answer,
          score,
          kept,
          ...flags,
        ]),
      ).toEqual([
        [0, 0, null, null, null, 'Gray', 0.9, true],
        [1, 0, null, question, 'Bell got it.', 'Bell', 0.5, true],
        [2, 1, 0, question, 'Bell got it.', 'Bell', 0.5, false],
        [3, 1, 0, when, 'It was in 1876.', 'Bell', 0.7, true],
        [4, 1, 1, caveat, 'Gray filed one.', 'Elisha Gray', 0.7, true],
        [5, 1, 1, contested, 'Meucci did.', 'Meucci', 0, false, 'unreadableScore'],
        [6, 2, 3, number, 'A. G. Bell held it.', 'A. G. Bell', 0.6, true],
      ]);
      expect(states[4]?.passages.map(({ id }) => id)).toEqual(['p5', 'p6']);

      // What the paper shows to each step, and no more.
      for (const { step, prompt } of model.requests) {
        expect(prompt).toContain(question);
        expect(prompt.includes('<passage number')).toBe(step === 'condenseEvidence');
        expect(prompt.includes('\nCandidate: ')).toBe(step === 'scoreAnswer');
      }
      // Condensed to what bears on the question, not on the sub-query; C.3 forbids nothing.
      for (const prompt of prompts('condenseEvidence')) {
        expect(prompt).not.toMatch(/\bnot\b/);
        expect(prompt).toMatch(new RegExp(`Question: ${literal(question)}\n\n.*\nRelevant`, 's'));
      }
      const ofState6 = prompts().find((prompt) => restingOn(when, number).test(prompt));
      expect(ofState6).toContain(`Query: ${when}\nEvidence: It was in 1876.`);
      expect(ofState6).toContain(`Query: ${number}\nEvidence: A. G. Bell held it.`);
    },
  },
  'costs what the paper says where depth 1 reaches S: 19 calls, 5 searches': {
    script: [
      ...seeds,
      ...asks([], `1. ${when}\n2. ${caveat}`),
      ...asks([question], `1. ${contested}\n2. ${number}`),
      condensed(when, 'It was in 1876.'),
      ...judged([when], 'Bell', '0.8'),
      condensed(caveat, 'Gray filed one.'),
      ...judged([caveat], 'Gray', '0.9'),
      condensed(contested, 'It was.'),
      ...judged([question, contested], 'Meucci', '0.3'),
      condensed(number, 'Bell held it.'),
      ...judged([question, number], 'Bell', '0.9'),
    ],
    changes,
    // Two reach 0.9: the one with the earlier parent.
    result: {
      answer: 'Gray',
      confidence: 0.9,
      evidence: ['p5', 'p6'],
      retrievals: 5,
      flags: [],
      usage: { calls: 19, cachedCalls: 0 },
      chain: { chosen: 3, stopped: 'threshold' },
    },
  },
  'writes a background document for each sub-query in place of a search': {
    script: [
      ...judged([], 'Gray', '0.2'),
      document(question, 'Bell\ngot it.'),
      ...judged([question], 'Bell', '0.5'),
      ...asks([], `1. ${when}`),
      ...asks([question], `1. ${caveat}`),
      document(when, 'In 1876.'),
      ...judged([when], 'Bell', '0.7'),
      document(caveat, 'Gray did.'),
      ...judged([question, caveat], 'Bell', '0.9'),
    ],
    options: { evidence: 'generated', depth: 1 },
    changes,
    result: {
      answer: 'Bell',
      confidence: 0.9,
      evidence: [],
      retrievals: 0,
      chain: {
        states: [null, 'Bell\ngot it.', 'In 1876.', 'Gray did.'].map((evidence) => ({ evidence })),
      },
    },
    check({ model }) {
      for (const { step, request, prompt } of model.requests) {
        if (step !== 'generateDocument') continue;
        expect(request).toMatchObject({ temperature: 0, maxTokens: 300 });
        // ALLIES C.4, where GenRead B.1.2 names no length.
        expect(prompt).toMatch(/^Write a short background document/);
      }
    },
  },
  'shows the queries alone where there is to be no evidence': {
    script: [
      ...judged([], 'Gray', '0.2'),
      ...judged([question], 'Bell', '0.5'),
      ...asks([], `1. ${when}`),
      ...asks([question], `1. ${caveat}`),
      ...judged([when], 'Bell', '0.7'),
      ...judged([question, caveat], 'Bell', '0.9'),
    ],
    options: { evidence: 'none', depth: 1 },
    changes,
    result: {
      answer: 'Bell',
      confidence: 0.9,
      evidence: [],
      retrievals: 0,
      flags: [],
      chain: { states: Array(4).fill({ evidence: null, flags: [] }) },
    },
    check({ prompts }) {
      const last = prompts().find((prompt) => restingOn(question, caveat).test(prompt));
      expect(last).toContain(`Query: ${caveat}\n</evidence>`);
      for (const prompt of prompts()) expect(prompt).not.toMatch(/^Evidence:/m);
    },
  },
  'says unknown when the best answer says so': {
    script: [
      ...seeds,
      ...asks([], `1. ${when}`),
      ...asks([question], `1. ${question}`),
      condensed(when, 'It was in 1876.'),
      ...judged([when], 'Unknown', '0'),
    ],
    options: { depth: 1 },
    changes,
    result: { outcome: 'unknown', answer: null, confidence: 0 },
  },
  'goes on without evidence when nothing is found': {
    script: [
      ...says('answerWithEvidence', ...Array<string>(4).fill('Bell')),
      ...says('scoreAnswer', ...Array<string>(4).fill('0.3')),
      ...asks([], `1. ${when}`),
      ...asks([question], `1. ${caveat}`),
    ],
    options: { depth: 1 },
    input: { cache: false },
    changes: { corpora: fixedCorpora([]) },
    flags: Array(3).fill('retrieve noPassages'),
    result: {
      outcome: 'answered',
      answer: 'Bell',
      evidence: [],
      chain: { states: [{ flags: [] }, ...Array(3).fill({ flags: ['noEvidence'] })] },
    },
    check({ prompts }) {
      const second = prompts().find((prompt) => restingOn(question).test(prompt));
      expect(second).toContain('Evidence: (none was found)');
    },
  },
  'passes over a state whose answer cannot be read, and does not have it scored': {
    script: [
      ...seeds,
      ...asks([], `1. ${when}`),
      ...asks([question], `1. ${caveat}`),
      condensed(when, 'It was in 1876.'),
      condensed(caveat, 'Gray filed one.'),
      ...['...', '', '?'].flatMap((said) => judged([when], said)),
      ...judged([question, caveat], 'Gray', '0'),
    ],
    options: { depth: 1 },
    changes,
    result: { answer: 'Gray', confidence: 0, chain: { chosen: 3 } },
    check({ result, asked }) {
      expect(asked.scoreAnswer).toBe(3);
      expect(result.chain?.states[2]).toMatchObject({
        answer: null,
        score: 0,
        kept: false,
        flags: ['unreadableAnswer'],
      });
    },
  },
});
