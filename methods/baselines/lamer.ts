/** LAMER: options. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { withoutEffect } from '../options/without-effect.js';
import { type PlannedCall, partOf, times } from '../planned-call.js';
import type { PassageRef } from '../vocabulary.js';
import {
  answerForm,
  candidatePassages,
  type FinalReading,
  planReading,
  readCount,
} from './final-reading.js';
import { greedyThenSampled } from './samples.js';

const shape = {
  passages: readCount,
  queries: z
    .int()
    .min(1)
    .max(10)
    .default(5)
    .describe(
      'Q, queries written for the question, at most (ours: 5); 1 is the form of LLatrieval (4.1: the pseudo passage)',
    ),
  queryStyle: z
    .enum(['passage', 'question'])
    .default('passage')
    .describe(
      'pseudo passages, written from the passages that the question finds (LLatrieval 4.1), or sub-questions',
    ),
  context: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .describe('passages the pseudo passages are written from (ours: 10)'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.7)
    .describe('of the pseudo passages after the first, which is greedy (ours: 0.7)'),
  candidates: candidatePassages,
  answerForm,
};

const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['context', 'temperature'],
      when: ({ queryStyle }) => queryStyle === 'question',
      because: 'it is of pseudo passages, and sub-questions are asked for',
    },
    {
      names: ['temperature'],
      when: ({ queryStyle, queries }) => queryStyle === 'passage' && queries === 1,
      because: 'the first pseudo passage is greedy, and there is no other',
    },
  ]),
);

export type LamerOptions = z.output<typeof options>;

/** Several LLM-written queries for one question; what they find is merged. */
export const lamerMethod: Method<LamerOptions> = {
  name: 'lamer',
  title: 'LAMER: search with passages written from what the question finds, merge, then read',
  source:
    'Shen et al., 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options,
  steps: ['hypotheticalPassage', 'askSubQueries', 'read', 'answerWithCitations'],
  callsFormula: 'Q + 1; 2 with sub-questions',
  calls: ({ queries, queryStyle }) => (queryStyle === 'passage' ? queries : 1) + 1,
  plan: (chosen, given) => {
    const { queries: count, queryStyle, context, temperature } = chosen;
    const { question, passages, output } = given;
    const written: PlannedCall[] =
      queryStyle === 'question'
        ? [{ step: 'askSubQueries', input: { question, history: [], count } }]
        : [
            { step: 'retrieve', input: { query: question } },
            ...greedyThenSampled(count, temperature).map((sample) => ({
              step: 'hypotheticalPassage' as const,
              input: { question, passages: passages(context), sample },
            })),
          ];
    const query =
      queryStyle === 'question'
        ? partOf(output('askSubQueries', { count }), count)
        : output('hypotheticalPassage');
    return [
      ...written,
      ...times(count, () => ({ step: 'retrieve' as const, input: { query } })),
      planReading(chosen, given),
    ];
  },
  figures:
    'with queries 1, the form of LLatrieval (4.1), correctness/citation F1, gpt-3.5-turbo-0301, cited answers, BGE-large, k=5: ASQA 55.3/59.6, QAMPARI 19.0/26.4, ELI5 14.4/66.5',
};

/** A query with what it found. */
export interface Search {
  query: string;
  /** Ids, best first. */
  found: string[];
}

export interface LamerChain extends FinalReading {
  /** What the question itself found; none with sub-questions. */
  context: PassageRef[];
  /** One for each different query that could be read; the question's own where none could. */
  searches: Search[];
  /** The best of all searches together, by reciprocal rank fusion. */
  passages: PassageRef[];
}
