/** SuRe step 3: a passage that supports one candidate (SuRe 3.2, appendix A.2). */
import { defineStep, type ModelOutput } from './step.js';
import { letter, lettered } from './text.js';

export interface SummarizeInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** All candidates; the prompt shows them as choices. */
  candidates: string[];
  /** Position of the candidate to support. */
  k: number;
}

export const summarize = defineStep<SummarizeInput, string>({
  prompt: 'summarize',
  maxTokens: 384,
  passages: (input) => input.passages,
  variables: ({ question, candidates, k }) => ({
    question,
    choices: lettered(candidates, ' '),
    prediction: `(${letter(k)}) ${candidates[k] ?? ''}`,
  }),
  parse: parseFinishedSummary,
  fallback: ({ text }) => parseSummary(text) ?? '',
});

const DONE = /\[\s*done\s*\]|\bDONE\b\.?\s*$/i;

/** The passage without the done marker, what follows it, and a heading; undefined when empty. */
export function parseSummary(text: string): string | undefined {
  const passage = (text.split(DONE, 1)[0] ?? '')
    .trim()
    .replace(/^(?:\*\*)?(?:passage|response|summary)\s*:(?:\*\*)?\s*/i, '')
    .trim();
  return passage === '' ? undefined : passage;
}

/** The same; undefined also when it was cut before its done marker. */
export function parseFinishedSummary({ text, cut }: ModelOutput): string | undefined {
  return cut && !DONE.test(text) ? undefined : parseSummary(text);
}
