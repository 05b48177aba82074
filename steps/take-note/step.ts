/** A reading note on one passage: the per-passage form of Chain-of-Note (3.3). */

import { declareStep } from '../define.js';

export interface TakeNoteInput {
  question: string;
  /** Id of the passage, the only one shown. */
  passage: string;
  /** Its position among the passages of the question. */
  k: number;
}

/** Null when the output stayed unreadable: the passage then has no note. */
export const takeNote = declareStep<TakeNoteInput, WrittenNote | null>(
  ({ k }) => `on passage ${k + 1}`,
);

/**
 * What a note says of its passage (Chain-of-Note 3.3.1): it answers the question (a), it helps to
 * work the answer out (b), it is of no use (c).
 */
export type NoteType = 'relevant' | 'contextual' | 'irrelevant';

/** A note as the model wrote it. */
export interface WrittenNote {
  text: string;
  /** Null where the model does not say. */
  type: NoteType | null;
}

/** The reading note of a passage. */
export interface Note extends WrittenNote {
  /** Id of the passage. */
  passage: string;
}
