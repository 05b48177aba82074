/** LLatrieval's verification: do the documents support an answer (LLatrieval 3.1). */

import type { CitedDemonstration } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';

export interface VerifyClassifyInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
  /** Shows what kind of answer they are to support (table 9); null for none. */
  demonstration: Pick<CitedDemonstration, 'question' | 'answer'> | null;
}

/** [YES] or [NO] (eq. 3, table 9). Null when the output stayed unreadable: not passed. */
export const verifyClassify = declareStep<VerifyClassifyInput, boolean | null>(
  ({ passages }) => `${passages.length} documents`,
);

export interface VerifyScoreInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
}

/** From 0 to 10 (eq. 4, table 10). Null when the output stayed unreadable: not passed. */
export const verifyScore = declareStep<VerifyScoreInput, number | null>(
  ({ passages }) => `${passages.length} documents`,
);
