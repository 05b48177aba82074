/** The steps of Chain-of-Note (Yu et al., 2023). */
import { choosePrompt, defineStep, type QuestionInput, readingStep } from './define.js';
import { answerPositions, shownAnswer } from './oracles.js';
import { type NotesReading, note, notes, readNotes, type WrittenNote } from './outputs/notes.js';
import { shortAnswer } from './outputs/short-answer.js';
import { escapeTags } from './rendering.js';

/** Tokens for a note: two long sentences and a label. */
const NOTE_TOKENS = 96;

/** Tokens for the line of the answer. */
const ANSWER_TOKENS = 128;

/**
 * Declaration of a step of Chain-of-Note in one call: writes a reading note on each passage, then
 * the answer (3.3, appendix A.3). With `examples` the prompt shows an example of each type of note
 * (3.3.2). Its output has `notes` in the order of the passages, null for a passage without one,
 * the `answer`, and the number of notes on other passages (`extra`); if the model's reply stayed
 * unreadable, what could be found in it, and null for a missing answer.
 */
export const takeNotes = readingStep<QuestionInput & { examples: boolean }, NotesReading>({
  name: 'takeNotes',
  label: ({ passages }) => `on ${passages.length} passages`,
  // The examples and the task come before the passages, since they are the same for all questions.
  prompt: choosePrompt('take-notes-by-example', ({ examples }) => examples, 'take-notes'),
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

/** Returns the form of the output as the prompt shows it. */
function notesForm(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `Note ${i + 1} (relevant, contextual or irrelevant): ...`,
  );
  return [...lines, 'Answer: ...'].join('\n');
}

/** A reading note, with the id of the passage that it is about (Chain-of-Note). */
export interface Note extends WrittenNote {
  /** Id of the passage. */
  passage: string;
}

/**
 * Declaration of a step of Chain-of-Note in its per-passage form: writes a reading note on a
 * single passage, which the label calls `k` + 1 (3.3). Its output is the `text` and `type` of the
 * note (the type null if the model stated none); null if the model's reply stayed unreadable.
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
 * Declaration of a step of Chain-of-Note in its per-passage form: answers from the passages and
 * the notes of its input, null for a passage without one (3.3). Its output is a short answer,
 * "unknown" if the model does not know; null if the model's reply stayed unreadable.
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

/** Returns the notes in tags, with any such tags within a note escaped. */
function renderNotes(notes: readonly (WrittenNote | null)[]): string {
  return notes
    .flatMap((note, i) => {
      if (!note) return [];
      const type = note.type === null ? '' : ` type="${note.type}"`;
      const text = escapeTags(escapeTags(note.text, 'note'), 'passage');
      return [`<note passage="${i + 1}"${type}>\n${text}\n</note>`];
    })
    .join('\n');
}
