import { z } from 'zod';
import type { Citation } from '../../core/citations.js';
import { between, nonEmpty, whole } from '../../core/options/ranges.js';
import { inOrder } from '../../core/passages-read.js';
import type { Block, Chip } from '../../core/section.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  cards,
  chip,
  count,
  passages,
  section,
  table,
  text,
  titles,
  titlesOf,
} from '../../report/views/parts.js';
import { defineMethod } from '../define-method.js';
import { optionsOf } from '../options.js';

const demonstration = z.strictObject({
  question: nonEmpty,
  passages: z
    .array(z.strictObject({ title: z.string().default(''), text: nonEmpty }))
    .max(20)
    .default([])
    .describe('what the numbers in the answer cite'),
  answer: nonEmpty,
});

/** Whether there is nothing to select. */
function takesAll({
  iterations,
  passages,
  supporting,
}: Record<'iterations' | 'passages' | 'supporting', number>) {
  return (
    iterations === 1 &&
    passages <= supporting &&
    'all of the passages are taken, and none is selected'
  );
}

const options = optionsOf(
  {
    supporting: whole(1, 20).default(5).describe('k, supporting documents (LLatrieval 4.1: 5)'),
    passages: whole(1, 200)
      .default(50)
      .describe('N, candidates retrieved for a query (LLatrieval 4.1: 50)'),
    window: whole(2, 100)
      .default(20)
      .describe(
        'w, documents shown at a selection, the supporting ones included (LLatrieval 4.1: 20)',
      ),
    iterations: whole(1, 10).default(4).describe('T, iterations at most (LLatrieval 4.1: 4)'),
    verification: z
      .enum(['classification', 'score'])
      .default('classification')
      .describe('yes or no, or a score held against the threshold (LLatrieval 3.1, 4.2)'),
    threshold: between(0, 10)
      .default(7)
      .describe(
        'tau, the score from which on the documents pass (LLatrieval 3.1 names none: ours)',
      ),
    queryStyle: z
      .enum(['passage', 'question'])
      .default('passage')
      .describe(
        'what asks for missing information (LLatrieval 3.2; table 1: passage is the better)',
      ),
    firstQuery: z
      .enum(['question', 'hypothetical-passage'])
      .default('question')
      .describe('what the first search is made with (LLatrieval A.1: a HyDE passage for ELI5)'),
    summaries: z
      .boolean()
      .default(true)
      .describe('selects by short summaries, else by full texts (LLatrieval A.1: summaries)'),
    answerForm: z
      .enum(['prose', 'list'])
      .default('prose')
      .describe(
        'sentences, or a list of answers (ALCE: prose for ASQA and ELI5, list for QAMPARI)',
      ),
    demonstrations: z
      .array(demonstration)
      .max(5)
      .default([])
      .describe('examples of a cited answer; classification sees the first (ALCE: 2)'),
  },
  {
    refused: {
      window: ({ window, supporting }) =>
        window <= supporting &&
        'must be larger than supporting, or no new document would ever be shown',
    },
    unread: {
      threshold: ({ verification }) =>
        verification !== 'score' && 'only the verification by score has a threshold',
      queryStyle: ({ iterations }) =>
        iterations === 1 && 'a single iteration asks for nothing that is missing',
      window: takesAll,
      summaries: takesAll,
    },
  },
);

/** One selection (LLatrieval figure 4): k of the documents there were and a few new ones. */
export interface Selection {
  /** Ids of the new candidates, in retriever order. */
  candidates: string[];
  /**
   * The numbers that the model named: 1 is the first document of D before, the candidates follow.
   * Null when there were at most k, and all were taken without asking.
   */
  named: number[] | null;
  /** The ids of D after it, in order. */
  supporting: string[];
}

/** Whether D can support an answer (LLatrieval 3.1). */
export interface Verification {
  passed: boolean;
  /** From 0 to 10, if a score was asked for; null when it could not be read. */
  score?: number | null;
}

/** One round of the loop (LLatrieval algorithm 1, lines 3 to 15). */
export interface Iteration {
  query: string;
  /** What the search found, best first, those seen before included. */
  found: PassageRef[];
  /** None when the search brought nothing new. */
  selections: Selection[];
  /** Null when D was empty. */
  verification: Verification | null;
}

/** A document of the last D. */
export interface SupportingDocument {
  id: string;
  title: string;
  /** The short form it was selected by; absent if it was shown in full. */
  summary?: string;
}

export interface LlatrievalChain {
  /** D: the passages numbered [1], [2], ... in the answer. */
  supporting: SupportingDocument[];
  iterations: Iteration[];
  /** Whether the last D was verified. */
  passed: boolean;
  /** Different passages that were offered for selection. */
  documentsRead: number;
  /** Passages that the searches found, repeats included: what tables 4 to 6 of the paper count. */
  documentCandidates: number;
  /** The answer as read; null when it could not be read or there was nothing to read. */
  reading: string | null;
  /** What the answer cites, in the order of first citation. */
  citations: Citation[];
}

/** "LLatrieval: LLM-Verified Retrieval for Verifiable Generation". */
export const llatrievalMethod = defineMethod({
  name: 'llatrieval',
  title: 'LLatrieval: retrieval until the documents are verified, then a cited answer',
  source: 'LLatrieval (Li et al., NAACL 2024), section 3, algorithm 1, appendix A',
  options,
  passagesRead: ({ supporting, iterations }: LlatrievalChain) =>
    inOrder(
      iterations.flatMap(({ found }) => found),
      supporting.map(({ id }) => id),
    ),
  cites: ({ answerForm }) => answerForm,
  view(chain: LlatrievalChain) {
    const { supporting, iterations, documentsRead, citations, passed } = chain;
    const cited = new Set(citations.map(({ number }) => number));
    const summaries = new Map(supporting.map(({ id, summary }) => [id, summary]));
    const documents = passages(supporting, ({ id }, i) => ({
      number: i + 1,
      cited: cited.has(i + 1),
      blocks: text(summaries.get(id), 'Selected by'),
    }));
    return [
      ...section('Supporting documents', documents, { note: passed ? 'verified' : 'not verified' }),
      ...section('Iterations', iterationCards(iterations), {
        note: `${iterations.length}, ${count(documentsRead, 'document')} offered`,
      }),
    ];
  },
  steps: [
    'hypotheticalPassage',
    'summarizeDocument',
    'selectDocuments',
    'verifyClassify',
    'verifyScore',
    'missingInfoQuery',
    'answerWithCitations',
  ],
  callsFormula:
    'for I iterations, 1 to T: I·N summaries + windows + I verifications + (I - 1) queries + 1 answer; windows: 1 + ceil((N - w)/(w - k)) in the first, then ceil(N/(w - k)); at most 223 by default, 55 when the first iteration passes; 23 and 5 without summaries; 1 more with a hypothetical passage',
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, k=5 N=50 w=20 T=4: ASQA 57.7/61.1, QAMPARI 24.3/34.4, ELI5 16.5/71.3 (BGE-large alone: 55.9/57.5, 17.3/24.0)',
});

function iterationCards(iterations: readonly Iteration[]): Block[] {
  const titleOf = titlesOf(iterations.flatMap(({ found }) => found));
  return cards(
    iterations.map(({ query, found, selections, verification }, i) => {
      const fresh = selections.reduce((sum, { candidates }) => sum + candidates.length, 0);
      return {
        title: `Iteration ${i + 1}`,
        chips: [
          chip(`${found.length} found`),
          chip(`${fresh} new`),
          chip(count(selections.length, 'selection')),
          ...verificationChips(verification),
        ],
        blocks: [
          ...text(query, 'Query'),
          ...selectionTable(selections, titleOf),
          {
            type: 'fold',
            title: `${count(found.length, 'document')} found`,
            blocks: titles(found),
          },
        ],
      };
    }),
  );
}

function verificationChips(verification: Verification | null): Chip[] {
  if (verification === null) return [chip('nothing to verify', 'warn')];
  const { passed, score } = verification;
  const rated = score === undefined ? '' : ` (${score === null ? 'unreadable' : `${score} of 10`})`;
  return [passed ? chip(`verified${rated}`, 'good') : chip(`not verified${rated}`, 'bad')];
}

function selectionTable(
  selections: readonly Selection[],
  titleOf: (id: string) => string,
): Block[] {
  const rows = selections.map(({ candidates, named, supporting }, i) => [
    `${i + 1}`,
    `${candidates.length}`,
    named === null ? 'all taken' : named.join(', ') || 'none',
    supporting.map(titleOf).join('; '),
  ]);
  const head = ['Selection', 'New documents', 'Numbers named', 'Supporting documents after it'];
  return table(head, rows);
}
