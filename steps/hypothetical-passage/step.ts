/** A passage that might answer the question, to search with (HyDE and LAMER, LLatrieval 4.1, A.1). */

import { declareStep } from '../define.js';
import type { Sample } from '../samples.js';

export interface HypotheticalPassageInput {
  question: string;
  /** Ids of what the question found, to write from (LAMER); none to write from memory (HyDE). */
  passages?: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: Sample;
}

/** Null when the output stayed unreadable. */
export const hypotheticalPassage = declareStep<HypotheticalPassageInput, string | null>(
  ({ passages = [], sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}a passage to search with${passages.length > 0 ? `, from ${passages.length}` : ''}`,
);
