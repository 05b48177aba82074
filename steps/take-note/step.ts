/** A reading note on one passage: the per-passage form of Chain-of-Note (3.3). */

import type { WrittenNote } from '../../methods/chain-of-note.js';
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
