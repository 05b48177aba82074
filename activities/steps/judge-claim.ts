/** Judging: does a claim follow from passages, or from an answer (ALCE 3: citation and claim recall). */
import { readVerdict } from '../reading/verdict.js';
import { defineStep } from './step.js';

export interface JudgeClaimInput {
  claim: string;
  /** Ids of the passages that are to entail it, in the order of the citations; or a text. */
  premise: string[] | { text: string };
}

/** Null when the output stayed unreadable: not entailed. */
export const judgeClaim = defineStep<JudgeClaimInput, boolean | null>({
  prompt: 'judge-claim',
  maxTokens: 16,
  passages: ({ premise }) =>
    Array.isArray(premise) ? premise : [{ id: 'answer', title: '', text: premise.text }],
  variables: ({ claim }) => ({ claim }),
  parse: readVerdict,
  fallback: () => null,
});
