/** Orders passages by how near they are to a text, or by how well they fit it. */
import type { PassageRef } from '../../core/vocabulary.js';
import { declareStep } from '../define.js';
import { shortened } from '../labels.js';

export interface RankInput {
  /** What the passages should be near to: a question, a summary. */
  text: string;
  /** Ids, few enough for one request. */
  passages: string[];
  /** How many to give back, at most. */
  count: number;
}

/** Best first, by cosine (SuRe appendix C.2; reranking by an embedding). */
export const rankBySimilarity = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages by "${shortened(text)}"`,
);

/** Best first, by a cross-encoder (LLatrieval 4.1). */
export const rankByCrossEncoder = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages for "${shortened(text)}"`,
);
