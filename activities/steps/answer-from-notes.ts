/** The answer from passages and notes: the end of Chain-of-Note's per-passage form (3.3). */
import type { WrittenNote } from '../../methods/chain-of-note.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { takenApart } from '../runtime/template.js';
import { plainNotes } from './note-text.js';
import { finalAnswer, wholeAnswer } from './read-notes.js';
import { defineStep, type ModelOutput } from './step.js';

export interface AnswerFromNotesInput {
  question: string;
  /** Ids, in the order shown; none where the search found none. */
  passages: string[];
  /** One place for each passage; null where there is no note. */
  notes: (WrittenNote | null)[];
}

/** Reads the passages too, as the answer does in the paper. Null when it stayed unreadable. */
export const answerFromNotes = defineStep<AnswerFromNotesInput, string | null>({
  prompt: 'answer-from-notes',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, notes }) => ({ question, notes: renderNotes(notes) }),
  parse: (output, { question }) => parseNotedAnswer(output, question),
  fallback: () => null,
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

/** The answer after its label, or the first line that says something, where it is whole. */
export function parseNotedAnswer(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  question = '',
): string | undefined {
  const plain = withoutQuestion(plainNotes(output), question);
  const answer = finalAnswer(plain)?.answer ?? wholeAnswer(plain);
  return answer === null ? undefined : withoutQuestion(answer, question) || undefined;
}
