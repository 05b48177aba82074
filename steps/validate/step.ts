/** SuRe step 4: does a summary support its candidate (SuRe 3.3 eq. 4, appendix A.3). */
import { declareStep } from '../define.js';

export interface ValidateInput {
  question: string;
  candidate: string;
  summary: string;
}

/** True is v=1; anything else is v=0, an output that stays unreadable included. */
export const validate = declareStep<ValidateInput, boolean>(
  ({ candidate }) => `candidate: ${candidate}`,
);
