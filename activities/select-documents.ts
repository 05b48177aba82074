/** LLatrieval's progressive selection: k of the documents shown (LLatrieval 3.2, table 11). */
import type { Passage } from '../methods/vocabulary.js';
import { defineStep } from './step.js';

export interface SelectDocumentsInput {
  question: string;
  /** k, how many to choose. */
  count: number;
  /** The supporting documents first, then the candidates; an id stands for the full text. */
  documents: (string | Passage)[];
  /** Which selection of which iteration this is, from 1. */
  iteration: number;
  selection: number;
}

/**
 * The numbers of the documents chosen, from 1, as the model named them: some may repeat, or be of
 * no document. None when the output stayed unreadable.
 */
export const selectDocuments = defineStep<SelectDocumentsInput, number[]>({
  prompt: 'select-documents',
  maxTokens: 64,
  passages: ({ documents }) => documents,
  variables: ({ question, count }) => ({
    question,
    count: String(count),
    form: `Selected passages:${' #'.repeat(count)}`,
  }),
  parse({ text }, { documents }) {
    const named = parseSelection(text);
    // A reply of which no number fits says nothing; one that says "none" does.
    return named?.length === 0 || named?.some((number) => number > 0 && number <= documents.length)
      ? named
      : undefined;
  },
  fallback: () => [],
});

const LABEL =
  /(?:selected|chosen)\s+(?:passages|documents|docs)\s*(?:are|is)?\s*[:=]?(?=\s*\S)|(?:answer|selection|identifiers)\s*:/gi;
/** The marks of a numbered list, where what they number is told by a word or a sign of its own. */
const ITEM =
  /^\s*\(?\d{1,2}[.)]\s+(?=.{0,20}?(?:passage|document|doc|#|\[)\s*\[?#?\d|\[?#?\d+\]?\s*$)/gim;
/** Numbers that count passages or are said not to be chosen, and the reasons after a choice. */
const COUNTED =
  /\bk\s*[:=]\s*\d+|\b\d+\s+(?:(?:most|best|of)\b|(?:selected\s+)?(?:passages|documents)\b)/gi;
const REASONS =
  /\b(?:because|since|but|except|excluding|not|without|rather|instead|which|while|whereas)\b|[.!?]\s+(?=\p{Lu})/iu;
/** One number a line, whatever is said of it. */
const LIST_LINE =
  /^[\s>•–-]*(?:passage|document|doc)?\s*[[(#]*(\d{1,4})[\])]*\s*(?:$|[:.,;–-]\s*(?!\d))/i;
const NONE = /^\W*(?:none|no (?:passage|document|relevant))\b/i;

/**
 * Reads the numbers of the chosen documents: after the label where there is one, on one line or as
 * a list, ranges included, without those that stand in the reasons for the choice.
 *
 * @returns none where the model says so; undefined when no number can be read.
 */
export function parseSelection(text: string): number[] | undefined {
  const plain = text
    .replace(/[*_`"“”]/g, '')
    .replace(/\r\n?/g, '\n')
    .trim();
  const label = [...plain.matchAll(LABEL)].at(-1);
  const reply = label ? plain.slice(label.index + label[0].length) : plain;
  const lines = reply
    .replace(ITEM, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const items = lines.map((line) => LIST_LINE.exec(line)?.[1]);
  if (lines.length > 1 && items.every((item) => item !== undefined)) return items.map(Number);
  for (const line of lines) {
    const numbers = numbersIn(choice(line));
    if (numbers.length > 0) return numbers;
  }
  return NONE.test(reply) ? [] : undefined;
}

/** What of a line names the choice. */
function choice(line: string): string {
  return line.replace(COUNTED, ' ').split(REASONS, 1)[0] ?? '';
}

function numbersIn(text: string): number[] {
  const numbers = text.matchAll(
    /(?<![\p{L}\p{N}.])(\d{1,4})(?:\s*(?:-|–|to)\s*(\d{1,4}))?(?![\p{L}\p{N}])/gu,
  );
  return [...numbers].flatMap(([, first, last]) => {
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    if (to < from || to - from >= 100) return [from, to];
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}
