/** LLatrieval's missing-info query: asks for what the documents lack (LLatrieval 3.2, eq. 6). */
import { declareStep } from '../define.js';

export interface MissingInfoQueryInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
  /** A question (table 13), or a pseudo passage that is near to the wanted ones (table 12). */
  style: 'question' | 'passage';
}

/** Null when the output stayed unreadable. */
export const missingInfoQuery = declareStep<MissingInfoQueryInput, string | null>(
  ({ passages, style }) => `a ${style} for what ${passages.length} documents lack`,
);
