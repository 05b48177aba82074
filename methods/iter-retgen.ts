/** ITER-RETGEN: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from './method.js';
import { nextQuery } from './next-query.js';
import { times } from './planned-call.js';
import type { PassageRef } from './vocabulary.js';

const options = z.strictObject({
  passages: z
    .int()
    .min(1)
    .max(200)
    .default(5)
    .describe('k, passages retrieved anew by each iteration (the paper: 5)'),
  iterations: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .describe('T, iterations (the paper reports 1 to 7: 2)'),
});

export type IterRetgenOptions = z.output<typeof options>;

/** "Enhancing Retrieval-Augmented Large Language Models with Iterative Retrieval-Generation Synergy". */
export const iterRetgenMethod: Method<IterRetgenOptions> = {
  name: 'iterRetgen',
  title: 'ITER-RETGEN: each output, with the question, is the next query',
  source: 'ITER-RETGEN (Shao et al., Findings of EMNLP 2023)',
  options,
  steps: ['thinkAndAnswer'],
  callsFormula: 'T, which is 2 by default; as many searches',
  calls: ({ iterations }) => iterations,
  plan: ({ passages: count, iterations }, { question, passages, output }) =>
    times(iterations, (iteration) => [
      {
        step: 'retrieve',
        input: {
          query: iteration === 0 ? question : nextQuery(question, output('thinkAndAnswer')),
        },
      },
      { step: 'thinkAndAnswer', input: { question, passages: passages(count), iteration } },
    ]).flat(),
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',
};

export interface RetgenIteration {
  query: string;
  /** What was read; it takes the place of what the iteration before read. */
  passages: PassageRef[];
  /** All that the model wrote; of the next query it is the beginning. */
  output: string;
  /** Null where none could be read in the output. */
  answer: string | null;
}

export interface IterRetgenChain {
  /** Those of the last iteration, which the answer rests on. */
  passages: PassageRef[];
  iterations: RetgenIteration[];
}
