/** Multi-chain reasoning: one answer from several chains of follow-up questions. */
import { declareStep } from '../define.js';
import type { Reasoned } from '../reason/step.js';
import type { AnsweredChain } from '../rendering/chain-text.js';

export interface MetaReasonInput {
  question: string;
  chains: AnsweredChain[];
}

/** Null when the output stayed unreadable. */
export const metaReason = declareStep<MetaReasonInput, Reasoned | null>(
  ({ chains }) => `over ${chains.length} chains`,
);
