import { z } from 'zod';
import { whole } from '../../../core/options/ranges.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { optionalPassageCount } from '../../options.js';

export const options = z.strictObject({
  passages: optionalPassageCount,
  samples: whole(2, 50)
    .default(5)
    .describe('answers sampled; the candidates are the different ones (decision: 5)'),
  temperature: z
    .number()
    .positive()
    .max(2)
    .default(0.7)
    .describe('at which the answers are sampled (decision: 0.7)'),
  conditions: whole(1, 10)
    .default(2)
    .describe('parts of the question masked, one at a time (decision: 2)'),
});

export type SelfVerificationOptions = z.output<typeof options>;

export interface VerifiedCandidate {
  text: string;
  /** How many of the samples gave it. */
  samples: number;
  /** What the model took each masked part to be; null when it could not be read. */
  recovered?: (string | null)[];
  /** How many of them it got right. */
  verified?: number;
}

export interface SelfVerificationChain {
  passages: PassageRef[];
  /** One for each sample; null when it could not be read. */
  samples: ({ reasoning: string; answer: string } | null)[];
  /** Parts of the question, as they stand in it. */
  conditions: string[];
  /** In the order first sampled. */
  candidates: VerifiedCandidate[];
}
