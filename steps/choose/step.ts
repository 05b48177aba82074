/** The MCQ prompt: an answer from the passages, with candidates as choices (SuRe 4.3, A.7). */
import { declareStep } from '../define.js';

export interface ChooseInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** At least two, at most 26. */
  choices: string[];
}

export interface Choice {
  answer: string;
  /** Position among the choices; null when the answer is none of them. */
  choice: number | null;
}

/** Null when the output stayed unreadable. */
export const choose = declareStep<ChooseInput, Choice | null>(
  ({ choices }) => `among ${choices.length} choices`,
);
