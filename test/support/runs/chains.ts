/** What the five methods would have made of a fact: chains as their workflows give them. */

import type { PassageRef } from '../../../core/vocabulary.js';
import type { Note } from '../../../steps/chain-of-note.js';
import type { AlliesChain, AlliesState } from '../../../workflows/methods/allies/chain.js';
import type { BaseChain } from '../../../workflows/methods/base.js';
import type { ChainOfNoteChain } from '../../../workflows/methods/chain-of-note.js';
import type { GenreadChain } from '../../../workflows/methods/genread.js';
import type { LlatrievalChain } from '../../../workflows/methods/llatrieval/chain.js';
import type { SureChain } from '../../../workflows/methods/sure/chain.js';
import type { Fact } from './facts.js';

interface Told {
  answer: string;
  confidence?: number;
  chain: unknown;
  /** Calls by step. */
  calls: Record<string, number>;
  retrievals: number;
}

const CHAINED = ['sure', 'base', 'allies', 'llatrieval', 'genread', 'chainOfNote'] as const;
export type Chained = (typeof CHAINED)[number];

/** The way of a method to an answer, which is the right one or the rival. */
export function tell(method: Chained, fact: Fact, isRight: boolean): Told {
  const answer = isRight ? fact.answer : fact.rival;
  return TELLERS[method](fact, answer, isRight);
}

const TELLERS: Record<Chained, (fact: Fact, answer: string, isRight: boolean) => Told> = {
  sure: (fact, answer, isRight) => ({
    answer,
    retrievals: 1,
    calls: { generateCandidates: 1, summarize: 2, validate: 2, rankPair: 2 },
    chain: {
      passages: refs(fact),
      candidates: [
        {
          text: fact.answer,
          summary: `The ${fact.bridge} was designed by ${fact.answer} and opened in ${fact.year}.`,
          valid: isRight,
          rank: isRight ? 1 : 0.5,
        },
        {
          text: fact.rival,
          summary: `${fact.rival} drew a plan with three arches for the ${fact.river}.`,
          valid: !isRight,
          rank: isRight ? 0 : 0.5,
        },
      ],
      votes: [
        { first: 0, second: 1, choice: 'first' },
        { first: 1, second: 0, choice: isRight ? 'second' : 'first' },
      ],
    } satisfies SureChain,
  }),

  base: (fact, answer) => ({
    answer,
    retrievals: 1,
    calls: { read: 1 },
    chain: { passages: refs(fact), reading: answer } satisfies BaseChain,
  }),

  allies: (fact, answer, isRight) => ({
    answer,
    confidence: isRight ? 0.85 : 0.55,
    retrievals: 5,
    calls: { condenseEvidence: 5, answerWithEvidence: 6, scoreAnswer: 6, askSubQueries: 2 },
    chain: {
      states: states(fact, answer, isRight),
      chosen: 2,
      stopped: isRight ? 'threshold' : 'depth',
    } satisfies AlliesChain,
  }),

  llatrieval: (fact, answer, isRight) => ({
    answer: `The ${fact.bridge} was designed by ${answer} [1]. It opened in ${fact.year} [1][2].`,
    retrievals: isRight ? 1 : 2,
    calls: {
      summarizeDocument: 5,
      selectDocuments: isRight ? 1 : 2,
      verifyClassify: isRight ? 1 : 2,
      missingInfoQuery: isRight ? 0 : 1,
      answerWithCitations: 1,
    },
    chain: llatrieval(fact, answer, isRight),
  }),

  genread: (fact, answer) => ({
    answer,
    retrievals: 0,
    calls: { generateDocument: 2, readBackground: 1 },
    chain: {
      documents: [
        `Many crossings of the ${fact.river} are named in the chronicles. The ${fact.bridge} is given to ${answer}.`,
        `The ${fact.bridge} opened in ${fact.year}. Its stones came from upstream.`,
      ].map((text, i) => ({ text, sample: i + 1 })),
      passages: [],
      demonstrationSet: null,
      reading: answer,
    } satisfies GenreadChain,
  }),

  chainOfNote: (fact, answer, isRight) => ({
    answer,
    retrievals: 1,
    calls: { takeNotes: 1 },
    chain: {
      passages: refs(fact),
      notes: [
        note(
          fact,
          1,
          isRight ? 'relevant' : null,
          `It says outright who designed the ${fact.bridge}.`,
        ),
        note(fact, 2, 'contextual', `It tells of a plan by ${fact.rival} that was not built.`),
        note(fact, 3, 'irrelevant', 'Floods; nothing on the designer.'),
      ],
      reading: answer,
    } satisfies ChainOfNoteChain,
  }),
};

export function refs({ passages }: Fact): PassageRef[] {
  return passages.map(({ id, title }, i) => ({ id, title, score: 12 - i }));
}

function note({ passages }: Fact, n: number, type: Note['type'], text: string): Note {
  return { passage: passages[n - 1]?.id ?? '', type, text };
}

function states(fact: Fact, answer: string, isRight: boolean): AlliesState[] {
  const [first, second] = refs(fact).map((ref) => [ref]);
  const state = (id: number, rest: Partial<AlliesState>): AlliesState => ({
    id,
    depth: id < 2 ? 0 : 1,
    parent: null,
    kept: true,
    subQuery: null,
    passages: [],
    evidence: null,
    answer,
    score: 0.4,
    flags: [],
    ...rest,
  });
  return [
    state(0, { answer: fact.rival, score: 0.2 }),
    state(1, {
      subQuery: fact.question,
      passages: first ?? [],
      score: 0.6,
      evidence: `The ${fact.bridge} opened in ${fact.year}.`,
    }),
    state(2, {
      parent: 1,
      passages: first ?? [],
      score: isRight ? 0.85 : 0.55,
      subQuery: `Who drew the plans of the ${fact.bridge}?`,
      evidence: `It was designed by ${answer}.`,
    }),
    state(3, {
      parent: 1,
      kept: false,
      passages: second ?? [],
      score: 0.3,
      subQuery: `Which plans for the ${fact.river} were set aside?`,
      evidence: `A plan with three arches by ${fact.rival}.`,
    }),
    state(4, {
      parent: 0,
      subQuery: `What crosses the ${fact.river}?`,
      evidence: '',
      score: 0,
      flags: ['noEvidence', 'unreadableScore'],
    }),
    state(5, {
      parent: 0,
      kept: false,
      subQuery: 'Who builds bridges?',
      answer: null,
      score: 0,
      flags: ['unreadableAnswer'],
    }),
  ];
}

function llatrieval(fact: Fact, answer: string, isRight: boolean): LlatrievalChain {
  const found = refs(fact);
  const ids = found.map(({ id }) => id);
  const supporting = ids.slice(0, 2);
  const selections = [{ candidates: ids, named: [1, 2], supporting }];
  const first = { query: fact.question, found, selections, verification: { passed: isRight } };
  const again = {
    query: `the designer of the ${fact.bridge}`,
    found: found.slice(0, 3),
    selections: [{ candidates: ids.slice(2, 3), named: [1, 9], supporting }],
    verification: { passed: false },
  };
  return {
    supporting: found.slice(0, 2).map(({ id, title }) => ({ id, title, summary: `On ${title}.` })),
    iterations: isRight ? [first] : [first, again],
    passed: isRight,
    documentsRead: 5,
    documentCandidates: isRight ? 5 : 8,
    reading: `The ${fact.bridge} was designed by ${answer} [1].`,
    citations: supporting.map((passage, i) => ({ number: i + 1, passage })),
  };
}
