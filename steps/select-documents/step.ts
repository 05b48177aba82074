/** LLatrieval's progressive selection: k of the documents shown (LLatrieval 3.2, table 11). */

import type { Passage } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';

export interface SelectDocumentsInput {
  question: string;
  /** k, how many to choose. */
  count: number;
  /** The supporting documents first, then the candidates; an id stands for the full text. */
  documents: (string | Passage)[];
  /** Which selection of which iteration this is, from 1. */
  iteration: number;
  selection: number;
}

/**
 * The numbers of the documents chosen, from 1, as the model named them: some may repeat, or be of
 * no document. None when the output stayed unreadable.
 */
export const selectDocuments = declareStep<SelectDocumentsInput, number[]>(
  ({ count, documents, iteration, selection }) =>
    `iteration ${iteration}, selection ${selection}: ${count} of ${documents.length}`,
);
