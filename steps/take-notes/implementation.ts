import { implementStep, type ModelOutput } from '../define.js';
import { plainNotes } from '../reading/note-text.js';
import { parseNotes, wholeAnswer } from './read-notes.js';
import type * as declared from './step.js';

/** Two long sentences with their label, and the answer's line with a word of conclusion. */
const NOTE_TOKENS = 96;

const ANSWER_TOKENS = 128;

export const takeNotes = implementStep<typeof declared.takeNotes>({
  // With examples these and the task stand before the passages: they are the same for all questions.
  prompt: {
    among: ['take-notes', 'take-notes-by-example'],
    of: ({ examples }) => (examples ? 'take-notes-by-example' : 'take-notes'),
  },
  maxTokens: ({ passages }) => Math.max(1024, ANSWER_TOKENS + NOTE_TOKENS * passages.length),
  passages: (input) => input.passages,
  variables: ({ question, passages }) => ({
    question,
    count: String(passages.length),
    form: notesForm(passages.length),
  }),
  parse: (output, { question, passages }) => {
    const reading = parseNotes(output, passages.length, question);
    return reading.answer !== null && reading.notes.some((note) => note !== null)
      ? reading
      : undefined;
  },
  fallback: (output, { question, passages }) => {
    const reading = parseNotes(output, passages.length, question);
    const noted = reading.notes.some((note) => note !== null);
    return noted ? reading : { ...reading, answer: reading.answer ?? bareAnswer(output) };
  },
});

/** The lines asked for. */
function notesForm(count: number): string {
  const notes = Array.from(
    { length: count },
    (_, i) => `Note ${i + 1} (relevant, contextual or irrelevant): ...`,
  );
  return [...notes, 'Answer: ...'].join('\n');
}

function bareAnswer(output: ModelOutput): string | null {
  const line = plainNotes(output);
  return line.includes('\n') || line.split(' ').length > 8 ? null : wholeAnswer(line);
}
