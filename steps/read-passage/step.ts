/** The reader on a single passage, with the probability of its answer (SuRe 4.1: Rerank, RePlug). */

import type { Reading } from '../../methods/baselines/ensemble.js';
import { declareStep } from '../define.js';

export interface ReadPassageInput {
  question: string;
  /** Id; null when the search found nothing. */
  passage: string | null;
  /** Position of the passage. */
  k: number;
  /** Whether to ask how probable the answer is. */
  probability: boolean;
}

/** Asks as `read` does. Null when the output stayed unreadable. */
export const readPassage = declareStep<ReadPassageInput, Reading | null>(
  ({ k }) => `passage ${k + 1}`,
);
