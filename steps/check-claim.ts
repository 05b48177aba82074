/** GenRead step 2 for claims: true or false by the documents (GenRead 3.1, appendix B.1.3). */

import { type Background, backgroundLabel, passagesOf } from './background.js';
import { defineStep } from './define.js';
import { choice } from './outputs/choice.js';

export interface CheckClaimInput extends Background {
  claim: string;
}

/** Supports or refutes, as the data sets label claims; unknown where the model will not say. */
export type ClaimVerdict = 'supports' | 'refutes' | 'unknown';

export const checkClaim = defineStep<CheckClaimInput, ClaimVerdict | null>({
  name: 'checkClaim',
  label: backgroundLabel,
  prompt: 'check-claim',
  maxTokens: 10,
  passages: passagesOf,
  output: choice<ClaimVerdict>(
    [
      { value: 'supports', said: ['True', 'Yes', 'Supports', 'Supported'] },
      { value: 'refutes', said: ['False', 'No', 'Refutes', 'Refuted'] },
    ],
    { label: 'answer|verdict', form: 'one word, True or False', unknown: 'unknown' },
  ),
  costliest: () => 'supports',
});
