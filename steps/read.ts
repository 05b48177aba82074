/** The reader: a short answer from the passages (SuRe "Base", appendix A.5). */
import type { Demonstration } from '../core/vocabulary.js';
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { shortAnswer } from './outputs/short-answer.js';
import { renderDemonstrations } from './rendering/demonstrations.js';

export interface ReadInput {
  question: string;
  /** Ids, in the order shown; none for an answer without retrieval. */
  passages: string[];
  demonstrations: Demonstration[];
}

/** Null when the output stayed unreadable. */
export const read = defineStep<ReadInput, string | null>({
  name: 'read',
  label: ({ passages }) => `${passages.length} passages`,
  prompt: 'read',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, demonstrations }) => ({
    question,
    demonstrations: renderDemonstrations(demonstrations),
  }),
  output: shortAnswer(),
  fallback: () => null,
  oracle: (_, gold) => shownAnswer(gold),
});
