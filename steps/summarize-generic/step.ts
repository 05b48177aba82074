/** A summary of the passages for a question, conditioned on no answer (SuRe 4.3, appendix A.6). */
import { declareStep } from '../define.js';

export interface SummarizeGenericInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
}

export const summarizeGeneric = declareStep<SummarizeGenericInput, string>(
  ({ passages }) => `${passages.length} passages`,
);
