/** A summary of the passages for a question, conditioned on no answer (SuRe 4.3, appendix A.6). */
import { defineStep } from './define.js';
import { summary, unfinishedSummary } from './summarize.js';

export interface SummarizeGenericInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Empty when the output stayed unreadable. */
export const summarizeGeneric = defineStep<SummarizeGenericInput, string>({
  name: 'summarizeGeneric',
  label: ({ passages }) => `${passages.length} passages`,
  prompt: 'summarize-generic',
  maxTokens: 384,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  output: summary,
  fallback: unfinishedSummary,
});
