/** The answer from passages and notes: the end of Chain-of-Note's per-passage form (3.3). */

import { declareStep } from '../define.js';
import type { WrittenNote } from '../take-note/step.js';

export interface AnswerFromNotesInput {
  question: string;
  /** Ids, in the order shown; none where the search found none. */
  passages: string[];
  /** One place for each passage; null where there is no note. */
  notes: (WrittenNote | null)[];
}

/** Reads the passages too, as the answer does in the paper. Null when it stayed unreadable. */
export const answerFromNotes = declareStep<AnswerFromNotesInput, string | null>(
  ({ notes }) => `from ${notes.filter((note) => note !== null).length} notes`,
);
