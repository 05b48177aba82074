/** Self-ask in one call: all follow-ups, their intermediate answers and the final answer. */

import { declareStep } from '../define.js';
import { inChain } from '../labels.js';
import type { AnsweredFollowUp } from '../rendering/chain-text.js';
import type { Sample } from '../samples.js';

export interface SelfAskInput {
  question: string;
  /** M, how many follow-ups to ask at most. */
  maxFollowUps: number;
  /** Which chain; the only one when left out. */
  sample?: Sample;
}

/** A chain as one call wrote it. */
export interface WrittenChain {
  followUps: AnsweredFollowUp[];
  answer: string;
}

/** Null when the output stayed unreadable. */
export const selfAsk = declareStep<SelfAskInput, WrittenChain | null>(
  ({ sample }) => `${inChain(sample)}follow-ups and answer`,
);

/** One labelled line of a chain. */
export interface ChainLine {
  kind: 'followUp' | 'intermediate' | 'final';
  text: string;
}
