/** ITER-RETGEN: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { PassageRef } from '../../core/vocabulary.js';

export const options = z.strictObject({
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
