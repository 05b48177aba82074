/** GenRead step 2 for questions: a short answer from the documents (GenRead 3.1, appendix B.1.3). */
import { type Background, passagesOf } from './background.js';
import { readAnswer } from './read.js';
import { defineStep } from './step.js';

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
  parse: (output, { question }) => readAnswer(output, question),
  fallback: ({ text }, { question }) => readAnswer({ text, cut: false }, question) ?? null,
});
