/** The answer from passages and notes: the end of Chain-of-Note's per-passage form (3.3). */
import { type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import type { WrittenNote } from './outputs/notes.js';
import { shortAnswer } from './outputs/short-answer.js';
import { takenApart } from './rendering.js';

export interface AnswerFromNotesInput extends QuestionInput {
  /** A note or null for each passage. */
  notes: (WrittenNote | null)[];
}

/** Reads the passages too, as the answer does in the paper. Null when it stayed unreadable. */
export const answerFromNotes = readingStep<AnswerFromNotesInput, string | null>({
  name: 'answerFromNotes',
  label: ({ notes }) => `from ${notes.filter((note) => note !== null).length} notes`,
  prompt: 'answer-from-notes',
  maxTokens: 64,
  variables: ({ notes }) => ({ notes: renderNotes(notes) }),
  output: shortAnswer({ form: 'the answer only, in a few words, or unknown' }),
  oracle: ({ notes }, gold) =>
    shownAnswer(
      gold,
      notes.flatMap((note) => note?.text ?? []),
    ),
});

/** Notes between tags that none of them can close. */
function renderNotes(notes: readonly (WrittenNote | null)[]): string {
  return notes
    .flatMap((note, i) => {
      if (!note) return [];
      const type = note.type === null ? '' : ` type="${note.type}"`;
      const text = takenApart(takenApart(note.text, 'note'), 'passage');
      return [`<note passage="${i + 1}"${type}>\n${text}\n</note>`];
    })
    .join('\n');
}
