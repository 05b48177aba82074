/** The answer with citations to the documents it rests on (LLatrieval 2.1 eq. 2, after ALCE). */

import type { CitedDemonstration } from '../../methods/vocabulary.js';
import { declareStep } from '../define.js';

export interface AnswerWithCitationsInput {
  question: string;
  /** Ids, in the order of the numbers by which they are cited. */
  passages: string[];
  /** Sentences with their citations, or a list of answers with one citation each (QAMPARI). */
  form: 'prose' | 'list';
  demonstrations: CitedDemonstration[];
}

/** What there is of one that was cut at last; null when the output stayed unreadable. */
export const answerWithCitations = declareStep<AnswerWithCitationsInput, string | null>(
  ({ passages }) => `from ${passages.length} documents`,
);
