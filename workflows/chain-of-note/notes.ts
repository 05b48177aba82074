/** Places Chain-of-Note's reading notes. Pure. */

import type { WrittenNote } from '../../steps/outputs/notes.js';
import type { Note } from '../../steps/take-note.js';

/** Puts the notes beside the passages they are on; `written` holds null where there is none. */
export function notesOf(
  passages: readonly string[],
  written: readonly (WrittenNote | null)[],
): Note[] {
  return passages.flatMap((passage, i) => {
    const note = written[i];
    return note ? [{ passage, ...note }] : [];
  });
}

/** Returns the passages an answer can rest on: all but those the notes call irrelevant. */
export function evidenceOf(passages: readonly string[], notes: readonly Note[]): string[] {
  const irrelevant = new Set(
    notes.filter(({ type }) => type === 'irrelevant').map(({ passage }) => passage),
  );
  return passages.filter((passage) => !irrelevant.has(passage));
}
