/** Chain-of-Note in one call: a note for each passage, then the answer (3.3, appendix A.3). */
import { declareStep } from '../define.js';
import type { NotesReading } from './read-notes.js';

export interface TakeNotesInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** Shows an example of each type of note first (3.3.2). */
  examples: boolean;
}

/**
 * An output that stayed unreadable gives the notes it has, and an answer only where it is nothing
 * but one short line.
 */
export const takeNotes = declareStep<TakeNotesInput, NotesReading>(
  ({ passages }) => `on ${passages.length} passages`,
);
