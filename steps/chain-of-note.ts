/** The steps of Chain-of-Note (Yu et al., 2023). */
import { defineStep, either, type QuestionInput, readingStep } from './define.js';
import { answerPositions, shownAnswer } from './oracles.js';
import { type NotesReading, note, notes, readNotes, type WrittenNote } from './outputs/notes.js';
import { shortAnswer } from './outputs/short-answer.js';
import { takenApart } from './rendering.js';

/**
 * Tokens of a note: two long sentences with their label; the answer's line has a word of
 * conclusion.
 */
const NOTE_TOKENS = 96;

const ANSWER_TOKENS = 128;

/**
 * Takes Chain-of-Note's notes in one call: a note for each passage, then the answer (3.3, appendix
 * A.3). With examples, the prompt has one of each type of note first (3.3.2). An output that stayed
 * unreadable gives the notes and the answer that it contains.
 */
export const takeNotes = readingStep<QuestionInput & { examples: boolean }, NotesReading>({
  name: 'takeNotes',
  label: ({ passages }) => `on ${passages.length} passages`,
  // The examples and the task come before the passages, since they are the same for all questions.
  prompt: either('take-notes-by-example', ({ examples }) => examples, 'take-notes'),
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
    const relevant = answerPositions(gold);
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

/** A reading note on a passage (Chain-of-Note). */
export interface Note extends WrittenNote {
  /** Id of the passage. */
  passage: string;
}

/**
 * Writes a reading note on one passage, the k-th of the question: the per-passage form of
 * Chain-of-Note (3.3). Null if the output stayed unreadable; the passage then has no note.
 */
export const takeNote = defineStep<
  { question: string; passage: string; k: number },
  WrittenNote | null
>({
  name: 'takeNote',
  label: ({ k }) => `on passage ${k + 1}`,
  prompt: 'take-note',
  maxTokens: 256,
  passages: ({ passage }) => [passage],
  output: note,
});

/**
 * Answers from passages and notes: the end of Chain-of-Note's per-passage form (3.3). Reads the
 * passages too, as in the paper. Null if the output stayed unreadable.
 */
export const answerFromNotes = readingStep<
  QuestionInput & { notes: (WrittenNote | null)[] },
  string | null
>({
  name: 'answerFromNotes',
  label: ({ notes }) => `from ${notes.filter((note) => note !== null).length} notes`,
  prompt: 'answer-from-notes',
  maxTokens: 64,
  variables: ({ notes }) => ({ notes: renderNotes(notes) }),
  output: shortAnswer({ form: 'the answer only, in at most 5 words, or unknown' }),
  oracle: ({ notes }, gold) =>
    shownAnswer(
      gold,
      notes.flatMap((note) => note?.text ?? []),
    ),
});

/** Returns notes between tags that no note can close. */
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
