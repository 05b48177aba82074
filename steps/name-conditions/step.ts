/** The parts of a question that an answer must fit, to be masked (SuRe 4.1, Weng et al. 2022). */
import { declareStep } from '../define.js';

export interface NameConditionsInput {
  question: string;
  /** How many, at most. */
  count: number;
}

/** None when the output stayed unreadable: the samples alone decide then. */
export const nameConditions = declareStep<NameConditionsInput, string[]>(
  ({ count }) => `at most ${count} parts of the question`,
);
