/** Output types of reading notes (Chain-of-Note 3.3). Pure. */
import { splitSentences } from '../../core/sentences.js';
import {
  type ModelOutput,
  type Output,
  objectSchema,
  outputBefore,
  splitEvenly,
} from './output.js';
import { hasWords, jsonMembers, linesOf, plainText, unwrapLine } from './plain.js';
import {
  answerFromJson,
  answerFromLine,
  FEW_WORDS,
  NEXT_QUESTION,
  shortAndLongReaders,
} from './short-answer.js';
import { wholeSentences } from './text.js';

/**
 * The type of a note (Chain-of-Note 3.3.1, types a to c): its passage answers the question
 * (`relevant`), helps to infer the answer (`contextual`), or does neither (`irrelevant`).
 */
export type NoteType = 'relevant' | 'contextual' | 'irrelevant';

/**
 * A reading note as the model wrote it: its text, and its type, which is null if the model stated
 * none.
 */
export interface WrittenNote {
  text: string;
  /** Type of the note; null if the model did not state it. */
  type: NoteType | null;
}

const TYPES: readonly NoteType[] = ['relevant', 'contextual', 'irrelevant'];
const NOTE = { type: { type: 'string', enum: TYPES }, text: { type: 'string' } };

/**
 * Output type of a note on one passage, as its `text` and `type`, which is null if the model
 * stated none. The model is asked for the type, a colon, and the text.
 */
export const note: Output<WrittenNote> = {
  schema: objectSchema(NOTE),
  form: 'one or two sentences that begin with Relevant:, Contextual: or Irrelevant:',
  read(output) {
    const [type, text] = jsonMembers(output, ['type', 'text']) ?? [];
    if (typeof text === 'string') return { text, type: typeOf(String(type)) };
    const plain = plainText(output);
    return noteIn((output.cut ? wholeSentences(plain) : plain).replace(/^note(?: 1)? ?: ?/i, ''));
  },
  // In the prompt that shows the note, its type takes more characters than in the output.
  longest: (text) => ({ text: text.slice('contextual:'.length), type: 'contextual' }),
};

/**
 * The notes and the answer as read from one output of a model, with the number of notes on
 * passages that do not exist (`extra`).
 */
export interface NotesReading {
  /** The notes in the order of the passages; null for a passage without one. */
  notes: (WrittenNote | null)[];
  /** Number of notes on passages that do not exist; they are left out. */
  extra: number;
  /** The answer; null if there is none. */
  answer: string | null;
}

/**
 * Returns the output type of notes on `count` passages, one line each, followed by a line with the
 * answer. It is unreadable without an answer, without any note, or if the answer is far longer
 * than requested. Such a long answer is used if the model, asked again, gives no shorter one.
 */
export function notes(count: number): Output<NotesReading> {
  return {
    schema: objectSchema({
      notes: {
        type: 'array',
        items: objectSchema({ passage: { type: 'integer', minimum: 1, maximum: count }, ...NOTE }),
      },
      answer: { type: 'string' },
    }),
    form: `a line for each passage that begins with Note and the passage's number, and at the end a line that begins with Answer:`,
    ...shortAndLongReaders(FEW_WORDS, (output, most) => {
      const reading = readNotes(output, count, most);
      const noted = reading.notes.some((one) => one !== null);
      return noted && reading.answer !== null ? reading : undefined;
    }),
    longest(text) {
      const [answer = '', ...parts] = splitEvenly(text, count + 1);
      return { notes: parts.map((part) => ({ text: part, type: null })), extra: 0, answer };
    },
  };
}

/**
 * Returns the `notes` in the order of the passages and the `answer` that an output contains, even
 * if it is incomplete: null for a passage without a note, and for an answer that is missing or too
 * long. `extra` is the number of notes on passages that do not exist.
 *
 * @param count Number of passages.
 * @param most Maximum number of words of the answer; a longer one is not read.
 */
export function readNotes(output: ModelOutput, count: number, most?: number): NotesReading {
  const reading: NotesReading = { notes: new Array(count).fill(null), extra: 0, answer: null };
  for (const { passage, written } of sectionsOf(output)) {
    if (passage === null) {
      reading.answer = answerFromLine(written.text, output, most) ?? null;
    } else if (passage >= 1 && passage <= count) {
      reading.notes[passage - 1] ??= written;
    } else {
      reading.extra++;
    }
  }
  return reading;
}

/** A note with its passage, or the answer. */
interface Section {
  passage: number | null;
  written: WrittenNote;
}

const LINE =
  /^\W{0,6}(?:\d{1,4}[.)] )?(?:note )?(?:(?:on |for )?passage|note) ?#?(\d{1,4}) ?(?:[([]([^)\]]{1,60})[)\]] ?[:.–—-]?|[:.–—-]|$|(?=(?:relevant|contextual|irrelevant)\b))(.*)$/i;
const ANSWER = /^\W{0,6}(?:the )?(?:final )?answer ?(?:(?:(?:is ?)?:|[-–—] ) ?(.*)|\W{0,4})$/i;

/** Pattern of an answer in a sentence of its own, which is read if no line has a label. */
const SENTENCE = /^(?:(?:so|thus|therefore|hence),? )?the (?:final )?answer is:? +(.+)$/i;

/**
 * Pattern of a note as in the paper's cases (table 5): it begins like this, and the answer ends
 * like this.
 */
const PAPER_NOTE = /^(?:wikipedia )?passage #(\d{1,4})\b/i;
const PAPER_ANSWER = /\banswer is:? +(.+)$/i;

function sectionsOf(output: ModelOutput): Section[] {
  const json = jsonSections(output);
  if (json) return json;
  const found: { passage: number | null; type: NoteType | null; text: string }[] = [];
  const lines = linesOf(plainText(outputBefore(output, [NEXT_QUESTION])));
  const isPapers =
    lines.some((line) => PAPER_NOTE.test(line)) && !lines.some((line) => LINE.test(line));
  const said = isPapers ? PAPER_ANSWER : lines.some((line) => ANSWER.test(line)) ? null : SENTENCE;
  for (const line of isPapers ? lines.flatMap(splitSentences) : lines) {
    const answer = ANSWER.exec(line) ?? said?.exec(line);
    const [, numbered] = (isPapers && PAPER_NOTE.exec(line)) || [];
    const [, passage = numbered, type = '', text = line] = LINE.exec(line) ?? [];
    const open = found.at(-1);
    if (answer) found.push({ passage: null, type: null, text: answer[1] ?? '' });
    else if (passage) found.push({ passage: Number(passage), type: typeOf(type), text });
    // An answer is one line; following lines explain it.
    else if (open && (open.passage !== null || open.text === ''))
      open.text = `${open.text}${typeOf(open.text) ? ':' : ''} ${unwrapLine(line)}`.trim();
  }
  return found.flatMap(({ passage, type, text }): Section[] => {
    if (passage === null) return [{ passage, written: { text, type } }];
    const written = noteIn(text);
    return written ? [{ passage, written: { ...written, type: type ?? written.type } }] : [];
  });
}

function jsonSections(output: ModelOutput): Section[] | undefined {
  const [listed, answer] = jsonMembers(output, ['notes', 'answer']) ?? [];
  if (!Array.isArray(listed)) return undefined;
  const written = listed.map((one) => {
    const { passage, type, text } = Object(one) as Record<string, unknown>;
    return {
      passage: Number(passage),
      written: { text: String(text ?? ''), type: typeOf(String(type)) },
    };
  });
  const said = answerFromJson(answer, {}) ?? '';
  return [...written, { passage: null, written: { text: said, type: null } }];
}

/**
 * Returns the note in a line such as "Relevant: the passage says ..." or "... (relevant)"; a
 * type alone is a note without text.
 */
function noteIn(said: string): WrittenNote | undefined {
  const line = unwrapLine(
    said.replace(/^(relevant|contextual|irrelevant)\s*\n/i, '$1: ').replace(/\s+/g, ' '),
  );
  const [label = '', inBrackets, word = inBrackets ?? ''] =
    /^(?:[([](\p{L}+)[)\]]:? ?|(\p{L}+) ?(?:[:.,–-] ?|$))/u.exec(line) ?? [];
  const type = typeOf(word);
  if (!hasWords(line)) return undefined;
  if (type) return { text: line.slice(label.length), type };
  const [last = '', end = ''] = / [([](\p{L}+)[)\]]\.?$/u.exec(line) ?? [];
  const endType = typeOf(end);
  return { text: endType ? line.slice(0, -last.length) : line, type: endType };
}

function typeOf(word: string): NoteType | null {
  return TYPES.find((type) => type === word.toLowerCase().trim()) ?? null;
}
