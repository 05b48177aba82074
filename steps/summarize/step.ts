/** SuRe step 3: a passage that supports one candidate (SuRe 3.2, appendix A.2). */
import { declareStep } from '../define.js';

export interface SummarizeInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** All candidates; the prompt shows them as choices. */
  candidates: string[];
  /** Position of the candidate to support. */
  k: number;
}

export const summarize = declareStep<SummarizeInput, string>(
  ({ candidates, k }) => `candidate ${k + 1}: ${candidates[k]}`,
);
