/** ALLIES, Score: how probable it is that an answer is true (section 4.4, appendix C.5). */

import type { QueryEvidence } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';
import { lastQuery } from '../labels.js';

export interface ScoreAnswerInput {
  question: string;
  /** Oldest first; none for a score from what the model knows. */
  history: QueryEvidence[];
  answer: string;
}

/** From 0 to 1; null when the output stayed unreadable. */
export const scoreAnswer = declareStep<ScoreAnswerInput, number | null>(
  ({ answer, history }) => `${answer}, with ${lastQuery(history)}`,
);
