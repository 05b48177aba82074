/** An answer from the passages so far, or that they do not suffice (SuRe 4.1, Creswell et al.). */
import { declareStep } from '../define.js';

export interface InferInput {
  question: string;
  /** Ids, most helpful first. */
  passages: string[];
}

/** Null when more passages are needed, and when the output stayed unreadable. */
export const infer = declareStep<InferInput, string | null>(
  ({ passages }) => `the first ${passages.length} passages`,
);
