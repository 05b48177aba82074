/** A reading note on one passage: the per-passage form of Chain-of-Note (3.3). */
import { defineStep } from './define.js';
import { note, type WrittenNote } from './outputs/notes.js';

export interface TakeNoteInput {
  question: string;
  /** Id of the passage, the only one shown. */
  passage: string;
  /** Its position among the passages of the question. */
  k: number;
}

export interface Note extends WrittenNote {
  /** Id of the passage. */
  passage: string;
}

/** Null when the output stayed unreadable: the passage then has no note. */
export const takeNote = defineStep<TakeNoteInput, WrittenNote | null>({
  name: 'takeNote',
  label: ({ k }) => `on passage ${k + 1}`,
  prompt: 'take-note',
  maxTokens: 256,
  passages: ({ passage }) => [passage],
  output: note,
});
