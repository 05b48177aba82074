import { z } from 'zod';
import type { Citation } from '../../core/citations.js';
import { between, whole } from '../../core/options/ranges.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { withoutEffect } from '../options.js';

const demonstration = z.strictObject({
  question: z.string().min(1),
  passages: z
    .array(z.strictObject({ title: z.string().default(''), text: z.string().min(1) }))
    .max(20)
    .default([])
    .describe('what the numbers in the answer cite'),
  answer: z.string().min(1),
});

const shape = {
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
    .describe('tau, the score from which on the documents pass (LLatrieval 3.1 names none: ours)'),
  queryStyle: z
    .enum(['passage', 'question'])
    .default('passage')
    .describe('what asks for missing information (LLatrieval 3.2; table 1: passage is the better)'),
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
    .describe('sentences, or a list of answers (ALCE: prose for ASQA and ELI5, list for QAMPARI)'),
  demonstrations: z
    .array(demonstration)
    .max(5)
    .default([])
    .describe('examples of a cited answer; classification sees the first (ALCE: 2)'),
};

export const options = z
  .strictObject(shape)
  .refine(({ window, supporting }) => window > supporting, {
    path: ['window'],
    error: 'must be larger than supporting, or no new document would ever be shown',
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['threshold'],
        when: ({ verification }) => verification !== 'score',
        because: 'only the verification by score has a threshold',
      },
      {
        names: ['queryStyle'],
        when: ({ iterations }) => iterations === 1,
        because: 'a single iteration asks for nothing that is missing',
      },
      {
        names: ['window', 'summaries'],
        when: ({ iterations, passages, supporting }) => iterations === 1 && passages <= supporting,
        because: 'all of the passages are taken, and none is selected',
      },
    ]),
  );

export type LlatrievalOptions = z.output<typeof options>;

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
