/** LLatrieval: the short form of a document that selections show (LLatrieval A.1, after ALCE). */
import { declareStep } from '../define.js';

export interface SummarizeDocumentInput {
  question: string;
  /** Id, the only passage shown. */
  passage: string;
}

/**
 * At most 50 words with regard to the question, or "irrelevant"; of a cut output the whole
 * sentences. Null when the output stayed unreadable: the document is then shown in full.
 */
export const summarizeDocument = declareStep<SummarizeDocumentInput, string | null>(
  ({ passage }) => `passage ${passage}`,
);
