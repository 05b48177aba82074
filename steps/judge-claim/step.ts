/** Judging: does a claim follow from passages, or from an answer (ALCE 3: citation and claim recall). */
import { declareStep } from '../define.js';
import { shortened } from '../labels.js';

export interface JudgeClaimInput {
  claim: string;
  /** Ids of the passages that are to entail it, in the order of the citations; or a text. */
  premise: string[] | { text: string };
}

/** Null when the output stayed unreadable: not entailed. */
export const judgeClaim = declareStep<JudgeClaimInput, boolean | null>(
  ({ claim, premise }) =>
    `"${shortened(claim)}" by ${Array.isArray(premise) ? `${premise.length} passages` : 'the answer'}`,
);
