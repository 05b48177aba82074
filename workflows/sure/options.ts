import { z } from 'zod';
import type { PassageRef } from '../../core/vocabulary.js';
import type { PairChoice } from '../../steps/sure.js';
import { candidateCount, demonstrations, passageCount } from '../options.js';

export const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
  selection: z
    .enum(['validityAndRanking', 'ranking', 'validity'])
    .default('validityAndRanking')
    .describe('what decides among the candidates (SuRe 3.3: both; 4.3, table 3: ranking only)'),
});

export type SureOptions = z.output<typeof options>;

export interface PairVote {
  /** Position of the candidate whose summary was shown first. */
  first: number;
  second: number;
  choice: PairChoice | null;
}

export interface SureCandidate {
  text: string;
  /** The passage the model wrote in support of this candidate; absent when it was the only one. */
  summary?: string;
  /** v: does the summary support the candidate; absent where ranking alone decides. */
  valid?: boolean;
  /** r: the sum of its pairwise scores; absent where validity alone decides. */
  rank?: number;
}

export interface SureChain {
  passages: PassageRef[];
  candidates: SureCandidate[];
  votes: PairVote[];
}
