/** Self-ask, one step of a chain: the next follow-up question, or the final answer. */

import { declareStep } from '../define.js';
import { inChain } from '../labels.js';
import type { AnsweredFollowUp } from '../rendering/chain-text.js';
import type { Sample } from '../samples.js';

export interface FollowUpInput {
  question: string;
  /** Oldest first. */
  history: AnsweredFollowUp[];
  /** Whether no more can be asked, so that the final answer is due. */
  last: boolean;
  /** Which chain; the only one when left out. */
  sample?: Sample;
}

/** What comes next in a chain. */
export type NextInChain = { followUp: string } | { answer: string };

/** Null when the output stayed unreadable; never a follow-up where the final answer is due. */
export const followUp = declareStep<FollowUpInput, NextInChain | null>(
  ({ history, last, sample }) =>
    `${inChain(sample)}${last ? 'the final answer' : `follow-up ${history.length + 1}`}`,
);
