/** Reading notes and the answer after them out of one output (Chain-of-Note 3.3). Pure. */
import type { WrittenNote } from '../methods/chain-of-note.js';
import { noteFrom, plainText } from './note-text.js';
import { cleanAnswer } from './text.js';

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
export function parseNotes(text: string, count: number): NotesReading {
  const plain = plainText(text);
  const { body, answer } = splitAnswer(plain);
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
  return { notes, extra, answer };
}

function together(first: WrittenNote | null, second: WrittenNote): WrittenNote {
  if (!first) return second;
  return {
    text: [first.text, second.text].filter((text) => text !== '').join(' '),
    type: first.type ?? second.type,
  };
}

const ANSWER_LINE =
  /^[^\S\n]*[->*•]*[^\S\n]*(?:the[^\S\n]+|my[^\S\n]+)?(?:final[^\S\n]+|short[^\S\n]+|brief[^\S\n]+)?(?:answer|conclusion)[^\S\n]*(?:to the question[^\S\n]*)?(?::|=|is\b:?)/gim;
/** A sentence that concludes: "Based on the above passages, the answer is 1996." */
const CONCLUSION =
  /(?<=^|\n|[.!?]["”’)]?\s)[^\S\n]*(?:[-*•][^\S\n]*)?(?:(?:based|therefore|thus|hence|so|in conclusion|in summary|overall|given|considering|finally|consequently|as|since|from|according|without)\b[^\n.!?]*?)?\b(?:the|my) (?:final |correct |short |most likely )?answer(?: to (?:the|this) question)?(?: (?:is|would be|must be|should be|appears to be)\b:?|(?= (?:cannot|can't|can’t|is not|remains)\b))/gi;
/** Where the sentence of an answer ends; not after an initial or a short abbreviation. */
const SENTENCE_END = /(?<=[\p{L}\p{N})"”’]{3}|\d)[.!?]\s+(?=\p{Lu}).*$/su;

/** The answer, and what stands before it. */
export function splitAnswer(text: string): { body: string; answer: string | null } {
  const line = [...text.matchAll(ANSWER_LINE)].at(-1);
  if (line) {
    const answer = readAnswer(text.slice(line.index + line[0].length));
    return { body: text.slice(0, line.index), answer };
  }
  const sentence = [...text.matchAll(CONCLUSION)].at(-1);
  if (!sentence) return { body: text, answer: null };
  const rest = text.slice(sentence.index + sentence[0].length);
  return {
    body: text.slice(0, sentence.index),
    answer: readAnswer(rest.trim().replace(SENTENCE_END, '')),
  };
}

/** The first line that says something; null where there is none, or only the letter of a choice. */
export function readAnswer(text: string): string | null {
  const answer = text
    .split('\n')
    .map(cleanAnswer)
    .find((line) => /[\p{L}\p{N}]/u.test(line));
  return answer === undefined || /^\(\w\)$/.test(answer) ? null : answer;
}

/** Part of an output, with the numbers of the passages it is on. */
interface Section {
  numbers: number[];
  text: string;
}

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

const START = String.raw`^[^\S\n]*[->*•–]*[^\S\n]*[[(<]?`;
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
