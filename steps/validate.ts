/** SuRe step 4: does a summary support its candidate (SuRe 3.3 eq. 4, appendix A.3). */
import { hasAnswer } from '../core/has-answer.js';
import { defineStep } from './define.js';
import { isAccepted } from './oracles.js';
import { verdict } from './outputs/choice.js';

export interface ValidateInput {
  question: string;
  candidate: string;
  summary: string;
}

/** True is v=1; anything else is v=0, an output that stays unreadable included. */
export const validate = defineStep<ValidateInput, boolean>({
  name: 'validate',
  label: ({ candidate }) => `candidate: ${candidate}`,
  prompt: 'validate',
  maxTokens: 16,
  output: verdict(),
  fallback: () => false,
  // A right candidate that its summary does not name may still be unsupported.
  oracle({ candidate, summary }, gold) {
    const accepted = isAccepted(candidate, gold);
    return accepted && !hasAnswer(summary, gold.answers) ? undefined : accepted;
  },
});
