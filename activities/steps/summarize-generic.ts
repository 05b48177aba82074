/** A summary of the passages for a question, conditioned on no answer (SuRe 4.3, appendix A.6). */
import { defineStep } from './step.js';
import { parseFinishedSummary, parseSummary } from './summarize.js';

export interface SummarizeGenericInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
}

export const summarizeGeneric = defineStep<SummarizeGenericInput, string>({
  prompt: 'summarize-generic',
  maxTokens: 384,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => parseFinishedSummary(output, question),
  fallback: ({ text }, { question }) => parseSummary(text, question) ?? '',
});
