/** The reader on a single passage, with the probability of its answer (SuRe 4.1: Rerank, RePlug). */

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

/** An answer from a single passage. */
export interface Reading {
  answer: string;
  /** How likely the model found these words, from 0 to 1, where the endpoint says it. */
  probability?: number;
}
