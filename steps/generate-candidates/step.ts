/** SuRe step 2: K answer candidates from the passages, in one call (SuRe 3.2, appendices A.1 and B.5). */

import type { Demonstration } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';

export interface GenerateCandidatesInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** K, how many candidates to ask for. */
  count: number;
  demonstrations: Demonstration[];
}

/** When the output stayed unreadable: what can be taken for candidates, in the doubt several. */
export const generateCandidates = declareStep<GenerateCandidatesInput, string[]>(
  ({ count }) => `${count} candidates`,
);
