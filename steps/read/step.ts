/** The reader: a short answer from the passages (SuRe "Base", appendix A.5). */

import type { Demonstration } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';

export interface ReadInput {
  question: string;
  /** Ids, in the order shown; none for an answer without retrieval. */
  passages: string[];
  demonstrations: Demonstration[];
}

/** Null when the output stayed unreadable. */
export const read = declareStep<ReadInput, string | null>(
  ({ passages }) => `${passages.length} passages`,
);
