/** Multi-chain reasoning: one answer from what several chains asked and found. */
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { type Reasoned, reasoned } from './outputs/labelled.js';
import { type EvidencePair, renderPairs } from './rendering/chain-text.js';

export interface MetaReasonInput {
  question: string;
  /** Ids of all evidence, each once, in the order shown. */
  passages: string[];
  /** Of all chains, in the order of the chains. */
  pairs: EvidencePair[];
}

/** Null when the output stayed unreadable. */
export const metaReason = defineStep<MetaReasonInput, Reasoned | null>({
  name: 'metaReason',
  label: ({ passages, pairs }) => `over ${pairs.length} pairs, ${passages.length} passages`,
  prompt: 'meta-reason',
  maxTokens: 512,
  passages: (input) => input.passages,
  variables: ({ question, pairs }) => ({ question, pairs: renderPairs(pairs) }),
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"'),
  fallback: () => null,
  oracle({ pairs }, gold) {
    const said = pairs.flatMap((pair) => ('answer' in pair ? (pair.answer ?? []) : []));
    const answer = shownAnswer(gold, said);
    return answer === undefined ? undefined : { reasoning: '', answer };
  },
});
