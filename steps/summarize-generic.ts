/** A summary of the passages for a question, conditioned on no answer (SuRe 4.3, appendix A.6). */
import { type QuestionInput, readingStep } from './define.js';
import { summary, unfinishedSummary } from './summarize.js';

/** Empty when the output stayed unreadable. */
export const summarizeGeneric = readingStep<QuestionInput, string>({
  name: 'summarizeGeneric',
  label: ({ passages }) => `${passages.length} passages`,
  prompt: 'summarize-generic',
  maxTokens: 384,
  output: summary,
  fallback: unfinishedSummary,
});
