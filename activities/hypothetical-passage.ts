/** HyDE: a passage that might answer the question, to search with (LLatrieval A.1, for ELI5). */
import { parseNewPassage } from './missing-info-query.js';
import { defineStep } from './step.js';

export interface HypotheticalPassageInput {
  question: string;
}

/** Null when the output stayed unreadable. */
export const hypotheticalPassage = defineStep<HypotheticalPassageInput, string | null>({
  prompt: 'hypothetical-passage',
  maxTokens: 256,
  variables: ({ question }) => ({ question }),
  parse: ({ text }) => parseNewPassage(text),
  fallback: () => null,
});
