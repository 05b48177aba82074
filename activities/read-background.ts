/** GenRead step 2 for questions: a short answer from the documents (GenRead 3.1, appendix B.1.3). */
import { type Background, passagesOf } from './background.js';
import { parseReading } from './read.js';
import { defineStep, type ModelOutput } from './step.js';

export interface ReadBackgroundInput extends Background {
  question: string;
  /** Which of the three reader prompts, counted from 1. */
  readerPrompt: number;
}

/** Null when the output stayed unreadable. Ten tokens as in the authors' run, more when cut. */
export const readBackground = defineStep<ReadBackgroundInput, string | null>({
  prompt: ({ readerPrompt }) => `read-background-${readerPrompt}`,
  maxTokens: 10,
  passages: passagesOf,
  variables: ({ question }) => ({ question }),
  parse: parseFinishedReading,
  fallback: ({ text }) => parseReading(text) ?? null,
});

/** As `parseReading`; undefined also when the line that says something was cut. */
export function parseFinishedReading({ text, cut }: ModelOutput): string | undefined {
  const finished = cut ? text.slice(0, Math.max(0, text.lastIndexOf('\n'))) : text;
  return parseReading(finished);
}
