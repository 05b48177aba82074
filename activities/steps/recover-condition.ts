/** What a masked part of the question must be, if a candidate is its answer (SuRe 4.1, Weng et al.). */
import { readAnswer } from './read.js';
import { defineStep } from './step.js';

export interface RecoverConditionInput {
  /** The question with the part masked. */
  masked: string;
  /** Position of the part. */
  condition: number;
  candidate: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Null when the output stayed unreadable: the part is not recovered. */
export const recoverCondition = defineStep<RecoverConditionInput, string | null>({
  prompt: 'recover-condition',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ masked, candidate }) => ({ masked, candidate }),
  parse: ({ text, cut }, { masked }) =>
    readAnswer({ text: text.replace(/^\W*\[?\bX\b\]?\s*(?:=|:|is\b)\s*/i, ''), cut }, masked),
  fallback: () => null,
});
