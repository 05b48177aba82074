/** ALLIES, Retrieve: passages condensed to what bears on the question (section 4.3, appendix C.3). */
import { defineStep } from './step.js';

export interface CondenseEvidenceInput {
  /** The original question, not the sub-query. */
  question: string;
  /** What the passages were searched with; for people who read the history, not for the model. */
  query: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Empty when the output stayed unreadable. */
export const condenseEvidence = defineStep<CondenseEvidenceInput, string>({
  prompt: 'condense-evidence',
  maxTokens: 256,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: ({ text }) => parseEvidence(text),
  fallback: () => '',
});

/** The information without a heading; undefined when it says nothing. */
export function parseEvidence(text: string): string | undefined {
  const evidence = text
    .trim()
    .replace(/^[*#\s]*(?:(?:relevant|factual)\s+)*(?:information|evidence|facts)\s*:[*\s]*/i, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(evidence) ? evidence : undefined;
}
