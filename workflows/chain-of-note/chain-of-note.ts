/** Chain-of-Note as a workflow (Yu et al., 2023, section 3.3). */
import { concluded } from '../../core/result.js';
import type { Note } from '../../steps/chain-of-note.js';
import type { WrittenNote } from '../../steps/outputs/notes.js';
import type { AlgorithmOf } from '../define-method.js';
import type { chainOfNoteMethod } from './method.js';

/**
 * Writes a reading note on each passage that judges its relevance, then answers: from relevant
 * passages, else with their context, else from what the model knows, else "unknown".
 */
export const chainOfNote: AlgorithmOf<typeof chainOfNoteMethod> = async (asked) => {
  const { question, options, step, flag } = asked;
  const { passages: count, form, examples } = options;
  const retrieved = await step.retrieve({ query: question, count });
  const passages = retrieved.map(({ id }) => id);

  const single = form === 'single' && passages.length > 0;
  const noted = single ? await inOneCall() : await onePassageACall();

  const notes = notesOf(passages, noted.notes);
  if (notes.length < passages.length) {
    flag('fewerNotes', noted.step, `${notes.length} of ${passages.length}`);
  }
  const evidence = evidenceOf(passages, notes);
  const chain = { passages: retrieved, notes, reading: noted.answer };
  return concluded(noted.answer, evidence, chain);

  async function inOneCall() {
    const reading = await step.takeNotes({ question, passages, examples });
    if (reading.extra > 0) {
      flag('extraNotes', 'takeNotes', `${reading.extra} on passages that do not exist`);
    }
    return { step: 'takeNotes', ...reading };
  }

  async function onePassageACall() {
    const notes = await Promise.all(
      passages.map((passage, k) => step.takeNote({ question, passage, k })),
    );
    const answer = await step.answerFromNotes({ question, passages, notes });
    return { step: 'takeNote', notes, answer };
  }
};

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
