/** SuRe step 5: which of two summaries answers better (SuRe 3.3 eq. 5, appendix A.4). */
import { MOST_CANDIDATES } from '../../methods/options/options.js';
import type { PairChoice } from '../../methods/sure.js';
import { readPreference } from '../reading/preference.js';
import { defineStep } from './step.js';

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
export const rankPair = defineStep<RankPairInput, PairChoice | null>({
  prompt: 'rank-pair',
  maxTokens: 16,
  // Summaries may read the same; each pair is asked in both orders all the same.
  sample: ({ first, second }) => first.k * MOST_CANDIDATES + second.k,
  variables: ({ question, first, second }) => ({
    question,
    first: first.summary,
    second: second.summary,
  }),
  parse: readPreference,
  fallback: () => null,
});
