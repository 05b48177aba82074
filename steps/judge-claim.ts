/**
 * The judge's step for citations and claims: whether a text entails a claim (ALCE 3: citation and
 * claim recall).
 */
import { shortened } from '../core/shortened.js';
import { defineStep, LONGEST_LABEL } from './define.js';
import { verdict } from './outputs/choice.js';

/**
 * The input of the judge's step: a claim, and the premise that should entail it, which is a list
 * of passage ids or a text.
 */
export interface JudgeClaimInput {
  claim: string;
  /** Ids of the cited passages, in the order of the citations; or the text of an answer. */
  premise: string[] | { text: string };
}

/**
 * Declaration of the step that judges whether the premise entails the claim. Its output is true or
 * false; null if the model's reply stayed unreadable, which counts as false.
 */
export const judgeClaim = defineStep<JudgeClaimInput, boolean | null>({
  name: 'judgeClaim',
  label: ({ claim, premise }) =>
    `"${shortened(claim, LONGEST_LABEL)}" by ${Array.isArray(premise) ? `${premise.length} passages` : 'the answer'}`,
  prompt: 'judge-claim',
  maxTokens: 16,
  passages: ({ premise }) =>
    Array.isArray(premise) ? premise : [{ id: 'answer', title: '', text: premise.text }],
  output: verdict('Yes'),
  // The most calls follow if all citations together entail the claim: each is then judged alone.
  costliest: (_, { premise }) => Array.isArray(premise) && premise.length > 1,
});
