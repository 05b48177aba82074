/** GenRead step 2 for claims: true or false by the documents (GenRead 3.1, appendix B.1.3). */
import { declareStep } from '../define.js';
import { type Background, backgroundLabel } from '../rendering/background.js';

export interface CheckClaimInput extends Background {
  claim: string;
}

/** Supports or refutes, as the data sets label claims; unknown where the model will not say. */
export type ClaimVerdict = 'supports' | 'refutes' | 'unknown';

/** Null when the output stayed unreadable. */
export const checkClaim = declareStep<CheckClaimInput, ClaimVerdict | null>(backgroundLabel);
