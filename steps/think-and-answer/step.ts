/** ITER-RETGEN: an answer by chain of thought, with all of the output, which is the next query. */
import { declareStep } from '../define.js';

export interface ThinkAndAnswerInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** Which iteration, from 0. */
  iteration: number;
}

export interface ThoughtAndAnswer {
  /** All that the model wrote. */
  output: string;
  /** Null when no answer could be read in it. */
  answer: string | null;
}

export const thinkAndAnswer = declareStep<ThinkAndAnswerInput, ThoughtAndAnswer>(
  ({ iteration, passages }) => `iteration ${iteration + 1}, ${passages.length} passages`,
);
