import { implementStep, type ModelOutput } from '../define.js';
import { plainNotes } from '../reading/note-text.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { takenApart } from '../reading/text.js';
import type { WrittenNote } from '../take-note/step.js';
import { finalAnswer, wholeAnswer } from '../take-notes/read-notes.js';
import type * as declared from './step.js';

export const answerFromNotes = implementStep<typeof declared.answerFromNotes>({
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
