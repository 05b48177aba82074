/** ALLIES, Retrieve: passages condensed to what bears on the question (section 4.3, appendix C.3). */
import { declareStep } from '../define.js';

export interface CondenseEvidenceInput {
  /** The original question, not the sub-query. */
  question: string;
  /** What the passages were searched with; for people who read the history, not for the model. */
  query: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Empty when the passages hold none, and when the output stayed unreadable. */
export const condenseEvidence = declareStep<CondenseEvidenceInput, string>(
  ({ passages, query }) => `${passages.length} passages for "${query}"`,
);
