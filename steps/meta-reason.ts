/** Multi-chain reasoning: one answer from what several chains asked and found. */
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { type Reasoned, reasoned } from './outputs/labelled.js';
import { type EvidencePair, renderPairs } from './rendering.js';

export interface MetaReasonInput extends QuestionInput {
  /** Of all chains, in the order of the chains. */
  pairs: EvidencePair[];
}

export const metaReason = readingStep<MetaReasonInput, Reasoned | null>({
  name: 'metaReason',
  label: ({ passages, pairs }) => `over ${pairs.length} pairs, ${passages.length} passages`,
  prompt: 'meta-reason',
  maxTokens: 512,
  variables: ({ pairs }) => ({ pairs: renderPairs(pairs) }),
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"'),
  oracle({ pairs }, gold) {
    const said = pairs.flatMap((pair) => ('answer' in pair ? (pair.answer ?? []) : []));
    return ifShown(gold, (answer) => ({ reasoning: '', answer }), said);
  },
});
