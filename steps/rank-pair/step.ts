/** SuRe step 5: which of two summaries answers better (SuRe 3.3 eq. 5, appendix A.4). */

import { declareStep } from '../define.js';

export interface RankPairInput {
  question: string;
  /** Shown as Passage 1. */
  first: PositionedSummary;
  /** Shown as Passage 2. */
  second: PositionedSummary;
}

export interface PositionedSummary {
  /** Position of the candidate it supports. */
  k: number;
  summary: string;
}

/** Null when the output stayed unreadable: the pair's other order then decides. */
export const rankPair = declareStep<RankPairInput, PairChoice | null>(
  ({ first, second }) => `summary ${first.k + 1} against ${second.k + 1}`,
);

/** Which of two summaries the model preferred: the first shown, the second, neither. */
export type PairChoice = 'first' | 'second' | 'tie';
