/** An answer from the passages so far, or that they do not suffice (SuRe 4.1, Creswell et al.). */
import { UNKNOWN } from '../core/unknown.js';
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';

export interface InferInput {
  question: string;
  /** Ids, most helpful first. */
  passages: string[];
}

/** Null when more passages are needed, and when the output stayed unreadable. */
export const infer = defineStep<InferInput, string | null>({
  name: 'infer',
  label: ({ passages }) => `the first ${passages.length} passages`,
  prompt: 'infer',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  output: mapped(shortAnswer({ form: 'the answer only, or INSUFFICIENT' }), (answer) =>
    answer === UNKNOWN ? null : answer,
  ),
  fallback: () => null,
  costliest: () => null,
  // More passages are needed while none holds it.
  oracle: (_, gold) => (gold.answers.length === 0 ? undefined : (shownAnswer(gold) ?? null)),
});
