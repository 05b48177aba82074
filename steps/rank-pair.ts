/** SuRe step 5: which of two summaries answers better (SuRe 3.3 eq. 5, appendix A.4). */
import { hasAnswer } from '../core/has-answer.js';
import { defineStep } from './define.js';
import { choice } from './outputs/choice.js';

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

/** Which summary is better: the first shown, the second, or neither. */
export type PairChoice = 'first' | 'second' | 'tie';

/** More than any position of a candidate. */
const POSITIONS = 26;

/** Null when the output stayed unreadable: the pair's other order then decides. */
export const rankPair = defineStep<RankPairInput, PairChoice | null>({
  name: 'rankPair',
  label: ({ first, second }) => `summary ${first.k + 1} against ${second.k + 1}`,
  prompt: 'rank-pair',
  maxTokens: 16,
  // Equal summaries are also asked in both orders.
  sample: ({ first, second }) => first.k * POSITIONS + second.k,
  variables: ({ first, second }) => ({ first: first.summary, second: second.summary }),
  output: choice<PairChoice>([
    { value: 'first', said: ['Passage 1', '1'] },
    { value: 'second', said: ['Passage 2', '2'] },
  ]),
  oracle({ first, second }, { answers }) {
    const [one, other] = [first, second].map(({ summary }) => hasAnswer(summary, answers));
    if (one === other) return undefined;
    return one ? 'first' : 'second';
  },
});
