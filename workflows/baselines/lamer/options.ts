import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import { between, whole } from '../../../core/options/ranges.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { answerForm, candidatePassages, readCount, withoutEffect } from '../../options.js';

const shape = {
  passages: readCount,
  queries: whole(1, 10)
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
  context: whole(1, 50)
    .default(10)
    .describe('passages the pseudo passages are written from (ours: 10)'),
  temperature: between(0, 2)
    .default(0.7)
    .describe('of the pseudo passages after the first, which is greedy (ours: 0.7)'),
  candidates: candidatePassages,
  answerForm,
};

export const options = z.strictObject(shape).superRefine(
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
