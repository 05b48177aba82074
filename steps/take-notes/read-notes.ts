/** Reading notes and the answer after them out of one output (Chain-of-Note 3.3). Pure. */

import type { ModelOutput } from '../define.js';
import { noteFrom, plainNotes } from '../reading/note-text.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import {
  concludingAnswer,
  concludingSentence,
  lineAnswer,
  statedAnswers,
} from '../reading/stated-answer.js';
import type { WrittenNote } from '../take-note/step.js';

export interface NotesReading {
  /** One place for each passage; null where the model wrote no note on it. */
  notes: (WrittenNote | null)[];
  /** Notes on passages that do not exist; they are left out. */
  extra: number;
  /** Null when none can be told from the notes. */
  answer: string | null;
}

/**
 * Reads "Note 1 (relevant): ..., Answer: ..." and what models make of it: other labels, lists,
 * running text as in the paper's examples, notes out of order, one note on several passages.
 *
 * @param count how many passages there are. Several notes on one passage are put together.
 */
export function parseNotes(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  count: number,
  question = '',
): NotesReading {
  const { body, answer } = splitAnswer(withoutQuestion(plainNotes(output), question));
  const notes = new Array<WrittenNote | null>(count).fill(null);
  let extra = 0;
  for (const { numbers, text: section } of sectionsOf(body)) {
    const note = noteFrom(section);
    if (!note) continue;
    for (const number of numbers) {
      const at = number - 1;
      if (at in notes) notes[at] = together(notes[at] ?? null, note);
      else extra++;
    }
  }
  return { notes, extra, answer: answer && (withoutQuestion(answer, question) || null) };
}

function together(first: WrittenNote | null, second: WrittenNote): WrittenNote {
  if (!first) return second;
  return {
    text: [first.text, second.text].filter((text) => text !== '').join(' '),
    type: first.type ?? second.type,
  };
}

/** The notes, and the answer that ends them, or that stands before all of them. */
function splitAnswer(text: string): { body: string; answer: string | null } {
  const final = finalAnswer(text);
  if (!final) return { body: text.replace(UNFILLED, ''), answer: null };
  const notes = [...text.matchAll(NOTE_LINES)].map(({ index }) => index);
  const before = notes.some((at) => at < final.start);
  const after = notes.some((at) => at > final.start);
  // One between the notes is what the model takes from a single passage.
  if (before && after) return { body: text, answer: null };
  const [head, tail] = [text.slice(0, final.start), text.slice(final.start)];
  return { body: after ? tail.slice(tail.indexOf('\n')) : head, answer: final.answer };
}

/** The answer's line of a form that was given back as it is. */
const UNFILLED = /\n[^\p{L}\p{N}\n]{0,6}(?:final )?answer ?:[^\p{L}\p{N}]*$/iu;
/**
 * The last answer that a label or a concluding sentence states; its `answer` is null where it is
 * half of one, or the letter of a choice, or several labels between notes disagree.
 */
export function finalAnswer(text: string): { answer: string | null; start: number } | undefined {
  const stated = statedAnswers(text).flatMap((one) => concludingSentence(text, one) ?? []);
  const labels = stated.filter(({ labelled }) => labelled);
  const final = labels.at(-1) ?? stated.at(-1) ?? concludingAnswer(text);
  if (!final) return undefined;
  const [first = final] = labels;
  const between = text.slice(first.start, final.start).match(NOTE_LINES) !== null;
  const same = labels.every(({ answer }) => answer?.toLowerCase() === final.answer?.toLowerCase());
  const told = final.answer !== null && !LETTER.test(final.answer) && (same || !between);
  return { start: final.start, answer: told ? final.answer : null };
}

const LETTER = /^\(\w\)$/;

/** The first line that says something; null where there is none, or only half of one or a letter. */
export function wholeAnswer(text: string): string | null {
  const answer = lineAnswer(text) ?? null;
  return answer === null || LETTER.test(answer) ? null : answer;
}

/** Part of an output, with the numbers of the passages it is on. */
interface Section {
  numbers: number[];
  text: string;
}

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

const START = String.raw`^[^\S\n]*[->*•–]*[^\S\n]*(?:\d{1,2}[.)] )?[[(<]?`;
const NUMBER = String.raw`(?:\d{1,4}|${WORDS.join('|')})\b`;
/** "2", "2 and 3", "2, 4-5" */
const NUMBERS = String.raw`(?:#|no\.?|number)?[^\S\n]*=?"?[^\S\n]*(?<numbers>${NUMBER}(?:[^\S\n]*(?:,[^\S\n]*and|,|and|&|-|–|to)[^\S\n]*(?:#|passage[^\S\n]+#?)?${NUMBER})*)"?`;
const PASSAGE = String.raw`(?:the[^\S\n]+)?(?:wikipedia[^\S\n]+)?(?:passages?|documents?|docs?|paragraphs?|sources?)[^\S\n]*`;
const NOTE = String.raw`(?:the[^\S\n]+)?(?:reading[^\S\n]+)?notes?[^\S\n]*(?:(?:on|for|about|from|of)[^\S\n]+)?(?:${PASSAGE})?`;
const ORDINAL = String.raw`(?:the[^\S\n]+)?(?<ordinal>${ORDINALS.join('|')})[^\S\n]+(?:wikipedia[^\S\n]+)?(?:passage|document)\b`;
const SENTENCE = String.raw`(?<=^|\n|[.!?]["”’)]?\s)`;

const NOTE_LINES = new RegExp(`${START}${NOTE}${NUMBERS}`, 'gim');
const PASSAGE_LINES = new RegExp(`${START}(?:${PASSAGE}${NUMBERS}|${ORDINAL})`, 'gim');
const LISTED_LINES =
  /^[^\S\n]*(?:[[(](?<bracketed>\d{1,4})[\])]|(?<plain>\d{1,4})[.):])[:.]?(?=\s)/gm;
const PASSAGE_SENTENCES = new RegExp(`${SENTENCE}(?:${PASSAGE}${NUMBERS}|${ORDINAL})`, 'gi');
const UNNUMBERED_LINES =
  /^[^\S\n]*(?:[-*•][^\S\n]+)?(?:(?:reading[^\S\n]+)?note[^\S\n]*:|(?=[[(]?(?:relevant|contextual|irrelevant)[\])]?[^\S\n]*[:.–-]))/gim;

/** Lines that say Note first, since what follows them may speak of other passages. */
function sectionsOf(body: string): Section[] {
  const cut = (pattern: RegExp) => sections(body, [...body.matchAll(pattern)]);
  const noted = cut(NOTE_LINES);
  if (noted.length > 0) return noted;
  const lines = cut(PASSAGE_LINES);
  if (lines.length > 1) return lines;
  const listed = cut(LISTED_LINES);
  if (listed.length > 1) return listed;
  const sentences = cut(PASSAGE_SENTENCES);
  if (sentences.length > 0) return sentences;
  return listed.length > 0 ? listed : cut(UNNUMBERED_LINES);
}

/** From each mark to the next one. What the mark says is left out where it is but a label. */
function sections(body: string, marks: RegExpExecArray[]): Section[] {
  return marks.map((mark, i) => {
    const end = marks[i + 1]?.index ?? body.length;
    const after = body.slice(mark.index + mark[0].length, end);
    const isLabel =
      /^\s*(?:$|[:.)\]>([–-])/.test(after) || !/[a-z]/i.test(mark[0]) || mark[0].endsWith(':');
    return { numbers: numbersOf(mark, i), text: isLabel ? after : mark[0].trim() + after };
  });
}

function numbersOf({ groups = {} }: RegExpExecArray, position: number): number[] {
  const { numbers, ordinal, bracketed, plain } = groups;
  if (ordinal) return [ORDINALS.indexOf(ordinal.toLowerCase()) + 1];
  const list = numbers ?? bracketed ?? plain;
  if (list === undefined) return [position + 1];
  const found: number[] = [];
  for (const [, range, word] of list.matchAll(/(-|–|to)?\s*(?:#|passage\s+#?)?(\d+|[a-z]+)/gi)) {
    const number = numberOf(word ?? '');
    if (number === undefined) continue;
    const from = range === undefined ? number : (found.at(-1) ?? number) + 1;
    // No prompt shows more passages than this.
    for (let n = from; n <= Math.min(number, from + 50); n++) found.push(n);
  }
  return [...new Set(found)];
}

function numberOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  const at = WORDS.indexOf(word.toLowerCase());
  return at < 0 ? undefined : at + 1;
}
