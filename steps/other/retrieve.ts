/** The retrieval step: a query in, references to passages out, best first. */
import type { PassageRef, SearchMode } from '../../core/vocabulary.js';
import { declareStep } from '../define.js';
import { shortened } from '../labels.js';

export interface RetrieveInput {
  query: string;
  /** How many passages, at most. */
  count: number;
}

/**
 * Where to search: a corpus by name, or the passages that came with the question, which without a
 * mode stay in the order they were given in.
 */
export type Source =
  | { corpus: string; mode?: SearchMode }
  | { supplied: PassageRef[]; mode?: SearchMode };

export const retrieve = declareStep<RetrieveInput, PassageRef[]>(
  ({ query, count }) => `${count} for "${shortened(query)}"`,
);
