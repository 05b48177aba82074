/** Multi-chain reasoning: one answer from several chains of follow-up questions. */
import { type AnsweredChain, renderChains } from './chain-text.js';
import { parseReasoned, type Reasoned } from './reason.js';
import { defineStep } from './step.js';

export interface MetaReasonInput {
  question: string;
  chains: AnsweredChain[];
}

/** Null when the output stayed unreadable. */
export const metaReason = defineStep<MetaReasonInput, Reasoned | null>({
  prompt: 'meta-reason',
  maxTokens: 512,
  variables: ({ question, chains }) => ({ question, chains: renderChains(chains) }),
  parse: parseReasoned,
  fallback: () => null,
});
