/** Multi-chain reasoning: one answer from what several chains asked and found. */

import { declareStep } from '../define.js';
import type { Reasoned } from '../reason/step.js';
import type { EvidencePair } from '../rendering/chain-text.js';

export interface MetaReasonInput {
  question: string;
  /** Ids of all evidence, each once, in the order shown. */
  passages: string[];
  /** Of all chains, in the order of the chains. */
  pairs: EvidencePair[];
}

/** Null when the output stayed unreadable. */
export const metaReason = declareStep<MetaReasonInput, Reasoned | null>(
  ({ passages, pairs }) => `over ${pairs.length} pairs, ${passages.length} passages`,
);
