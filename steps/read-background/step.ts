/** GenRead step 2 for questions: a short answer from the documents (GenRead 3.1, appendix B.1.3). */
import { declareStep } from '../define.js';
import { type Background, backgroundLabel } from '../rendering/background.js';

export interface ReadBackgroundInput extends Background {
  question: string;
  /** Which of the three reader prompts, counted from 1. */
  readerPrompt: number;
}

/** Null when the output stayed unreadable. Ten tokens as in the authors' run, more when cut. */
export const readBackground = declareStep<ReadBackgroundInput, string | null>(backgroundLabel);
