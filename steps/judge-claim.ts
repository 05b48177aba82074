/**
 * Judges whether a claim follows from passages or from an answer (ALCE 3: citation and claim
 * recall).
 */
import { shortened } from '../core/shortened.js';
import { defineStep, LABEL } from './define.js';
import { verdict } from './outputs/choice.js';

/** A claim, and the passages or the text that should entail it. */
export interface JudgeClaimInput {
  claim: string;
  /** Ids of the passages that should entail it, in the order of the citations; or a text. */
  premise: string[] | { text: string };
}

/**
 * Judges whether a claim follows from its premise. Null if the output stayed unreadable, which
 * counts as no.
 */
export const judgeClaim = defineStep<JudgeClaimInput, boolean | null>({
  name: 'judgeClaim',
  label: ({ claim, premise }) =>
    `"${shortened(claim, LABEL)}" by ${Array.isArray(premise) ? `${premise.length} passages` : 'the answer'}`,
  prompt: 'judge-claim',
  maxTokens: 16,
  passages: ({ premise }) =>
    Array.isArray(premise) ? premise : [{ id: 'answer', title: '', text: premise.text }],
  output: verdict('Yes'),
  // If all citations together entail a claim and none alone does, each is asked about.
  costliest: (_, { premise }) => Array.isArray(premise) && premise.length > 1,
});
