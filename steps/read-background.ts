/** GenRead step 2 for questions: a short answer from the documents (GenRead 3.1, appendix B.1.3). */

import { type Background, backgroundLabel, passagesOf } from './background.js';
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { shortAnswer } from './outputs/short-answer.js';

export interface ReadBackgroundInput extends Background {
  question: string;
  /** Which of the three reader prompts, counted from 1. */
  readerPrompt: number;
}

const answer = shortAnswer();

/** Null when the output stayed unreadable. Ten tokens as in the authors' run, more when cut. */
export const readBackground = defineStep<ReadBackgroundInput, string | null>({
  name: 'readBackground',
  label: backgroundLabel,
  prompt: {
    among: ['read-background-1', 'read-background-2', 'read-background-3'],
    of: ({ readerPrompt }) => `read-background-${readerPrompt}`,
  },
  maxTokens: 10,
  passages: passagesOf,
  output: answer,
  fallback: (output) => answer.read({ ...output, cut: false }) ?? null,
  oracle: (_, gold) => shownAnswer(gold),
});
