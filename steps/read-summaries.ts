/** The reader on summaries, beside the passages or in place of them (SuRe 4.3, table 3). */
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { shortAnswer } from './outputs/short-answer.js';
import { tagged } from './rendering/quoted.js';

export interface ReadSummariesInput {
  question: string;
  /** Ids, in the order shown; none to read the summaries alone. */
  passages: string[];
  summaries: string[];
}

/** Null when the output stayed unreadable. */
export const readSummaries = defineStep<ReadSummariesInput, string | null>({
  name: 'readSummaries',
  label: ({ passages, summaries }) => `${summaries.length} summaries, ${passages.length} passages`,
  prompt: 'read-summaries',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, summaries }) => ({ question, summaries: tagged(summaries, 'summary') }),
  output: shortAnswer(),
  fallback: () => null,
  oracle: ({ summaries }, gold) => shownAnswer(gold, summaries),
});
