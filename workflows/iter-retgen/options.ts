import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import type { PassageRef } from '../../core/vocabulary.js';

export const options = z.strictObject({
  passages: whole(1, 200)
    .default(5)
    .describe('k, passages retrieved anew by each iteration (the paper: 5)'),
  iterations: whole(1, 10).default(2).describe('T, iterations (the paper reports 1 to 7: 2)'),
});

export type IterRetgenOptions = z.output<typeof options>;

export interface RetgenIteration {
  query: string;
  /** The passages read, which replace those of the iteration before. */
  passages: PassageRef[];
  /** The model's output, which begins the next query. */
  output: string;
  /** Null if the output has none. */
  answer: string | null;
}

export interface IterRetgenChain {
  /** The passages of the last iteration, on which the answer rests. */
  passages: PassageRef[];
  iterations: RetgenIteration[];
}
