/** ALLIES, Answer: the question answered from the evidence so far (section 4.1, appendix C.1). */

import type { QueryEvidence } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';
import { lastQuery } from '../labels.js';

export interface AnswerWithEvidenceInput {
  question: string;
  /** Oldest first; none for an answer from what the model knows. */
  history: QueryEvidence[];
}

/** Null when the output stayed unreadable. */
export const answerWithEvidence = declareStep<AnswerWithEvidenceInput, string | null>(
  ({ history }) => `with ${lastQuery(history)}`,
);
