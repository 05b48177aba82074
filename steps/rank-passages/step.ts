/** Passages in the order in which they help with a question, by one call (SuRe 4.1, 4.3). */
import { declareStep } from '../define.js';

export interface RankPassagesInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/**
 * Positions of the passages, most helpful first. When the output stayed unreadable: what there is
 * of an order that was cut, else as shown.
 */
export const rankPassages = declareStep<RankPassagesInput, number[]>(
  ({ passages }) => `${passages.length} passages`,
);
