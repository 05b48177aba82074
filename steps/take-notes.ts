/** Chain-of-Note in one call: a note for each passage, then the answer (3.3, appendix A.3). */
import { type QuestionInput, readingStep } from './define.js';
import { holding, shownAnswer } from './oracles.js';
import { type NotesReading, notes, readNotes, type WrittenNote } from './outputs/notes.js';

export interface TakeNotesInput extends QuestionInput {
  /** Shows an example of each type of note first (3.3.2). */
  examples: boolean;
}

/** Two long sentences with their label, and the answer's line with a word of conclusion. */
const NOTE_TOKENS = 96;

const ANSWER_TOKENS = 128;

/** An output that stayed unreadable gives the notes and the answer that it has. */
export const takeNotes = readingStep<TakeNotesInput, NotesReading>({
  name: 'takeNotes',
  label: ({ passages }) => `on ${passages.length} passages`,
  // With examples these and the task stand before the passages: they are the same for all questions.
  prompt: {
    among: ['take-notes', 'take-notes-by-example'],
    of: ({ examples }) => (examples ? 'take-notes-by-example' : 'take-notes'),
  },
  maxTokens: ({ passages }) => Math.max(1024, ANSWER_TOKENS + NOTE_TOKENS * passages.length),
  variables: ({ passages }) => ({
    count: String(passages.length),
    form: notesForm(passages.length),
  }),
  output: ({ passages }) => notes(passages.length),
  fallback: (output, { passages }) => readNotes(output, passages.length),
  oracle(_, gold) {
    const answer = shownAnswer(gold);
    if (answer === undefined) return undefined;
    const relevant = holding(gold);
    const notes = gold.passages.map((_passage, i): WrittenNote => {
      const isRelevant = relevant.includes(i);
      return { text: isRelevant ? answer : '', type: isRelevant ? 'relevant' : 'irrelevant' };
    });
    return { notes, extra: 0, answer };
  },
});

/** Returns the lines that the prompt asks for. */
function notesForm(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `Note ${i + 1} (relevant, contextual or irrelevant): ...`,
  );
  return [...lines, 'Answer: ...'].join('\n');
}
