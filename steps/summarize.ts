/** SuRe step 3: a passage that supports one candidate (SuRe 3.2, appendix A.2). */
import { saysUnknown } from '../core/unknown.js';
import { type QuestionInput, readingStep } from './define.js';
import { type ModelOutput, mapped } from './outputs/output.js';
import { text } from './outputs/text.js';
import { letter, lettered } from './rendering.js';

export interface SummarizeInput extends QuestionInput {
  /** All candidates; the prompt shows them as choices. */
  candidates: string[];
  /** Position of the candidate to support. */
  k: number;
}

/** A passage up to its end mark; one that was stopped before it is asked again. */
export const summary = mapped(
  text({ form: 'a short passage that ends with [DONE]', end: '[DONE]', cut: 'again' }),
  (passage, { unknown }) => (saysUnknown(passage, unknown) ? undefined : passage),
);

/** Returns what was written of a summary before it was cut; may be empty. */
export function unfinishedSummary(output: ModelOutput): string {
  return summary.read({ ...output, cut: false }) ?? '';
}

/** Empty when the output stayed unreadable. */
export const summarize = readingStep<SummarizeInput, string>({
  name: 'summarize',
  label: ({ candidates, k }) => `candidate ${k + 1}: ${candidates[k]}`,
  prompt: 'summarize',
  maxTokens: 384,
  variables: ({ candidates, k }) => ({
    choices: lettered(candidates, ' '),
    prediction: `(${letter(k)}) ${candidates[k] ?? ''}`,
  }),
  output: summary,
  fallback: unfinishedSummary,
});
