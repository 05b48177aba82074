/**
 * Output type: several distinct texts, such as candidates, sub-questions, or parts of a question.
 * Pure.
 */
import { distinctAnswers } from '../../core/answer-key.js';
import { isObject } from '../../core/is-object.js';
import { type ModelOutput, type Output, objectSchema, splitEvenly } from './output.js';
import {
  hasWords,
  jsonMembers,
  jsonOf,
  LIST_MARK,
  linesOf,
  plainText,
  textAfterLabel,
  unwrapValue,
} from './plain.js';
import { countWords, shortAndLongReaders } from './short-answer.js';

interface ListForm {
  /** Maximum number of items; further ones are ignored. */
  most: number;
  /** Description of the form, shown when the model is asked again. */
  form: string;
  /** Words before the list, as alternatives of a regular expression. */
  label: string;
  /** Words that may precede a mark ("Candidate (a)"), as alternatives of a regular expression. */
  before?: string;
  /**
   * Whether a reply with a single item is read; otherwise it is unreadable, since it may be several
   * in one line.
   */
  lone: boolean;
  /** Whether the prompt asks for letters in brackets: "(a) Paris, (b) Lyon". @default false */
  lettered?: boolean;
  /** Whether equal items are kept, if others refer to them by number. @default false */
  repeats?: boolean;
  /** Number of words that the prompt asks for in each item. @default any number */
  words?: number;
}

/**
 * Returns the output type of a list of texts, which are distinct unless `repeats` is set: marked
 * by consecutive letters or numbers, one per line, or as a JSON array. A mark begins its line; a
 * letter in brackets, if asked for, may be anywhere. The unfinished last item of a cut output is
 * left out. The list is unreadable if it is empty, if it is a single text without a mark and
 * `lone` is false, if an item contains a further mark, or if an item is far longer than requested.
 * Such a long list is used if the model, asked again, gives no shorter one.
 */
export function list(asked: ListForm): Output<string[]> {
  const { most, form, label, before, lone, lettered, repeats, words } = asked;

  function itemsOf(output: ModelOutput): string[] {
    const [listed = jsonOf(output)] = jsonMembers(output, ['items']) ?? [];
    if (Array.isArray(listed)) return listed.filter((item) => typeof item === 'string');
    if (isObject(listed)) return [];
    const plain = plainText(words === undefined ? output : withoutRemarks(output));
    const text = textAfterLabel(plain, label) || plain;
    const marked = (lettered && letteredItems(text)) || linedItems(text, before);
    const items = (marked ?? unmarkedItems(text))
      .map((item) => cleaned(item, before))
      .filter(hasWords);
    const [only = ''] = items;
    const isLone = items.length === 1 && (marked ? lettered && JOINED.test(only) : true);
    return isLone && !lone ? [] : items;
  }

  /** Returns the texts; undefined if there is none, or if one has more words than `longest`. */
  function itemsIn(output: ModelOutput, longest = Infinity): string[] | undefined {
    const found = itemsOf(output);
    if (found.length === 0 || found.some((item) => countWords(item) > longest)) return undefined;
    return (repeats ? found : distinctAnswers(found)).slice(0, most);
  }

  const items = { type: 'array', items: { type: 'string' } };
  return {
    // JSON has no infinity, and endpoints refuse a schema in which it became null.
    schema: objectSchema({ items: most === Infinity ? items : { ...items, maxItems: most } }),
    form,
    ...(words === undefined ? { read: itemsIn } : shortAndLongReaders(words, itemsIn)),
    longest: (text) => splitEvenly(text, most),
  };
}

/**
 * Pattern of a marked line whose text is emphasised, with a remark behind it: "1. **Oslo**: the
 * capital".
 */
const REMARKED = new RegExp(
  `^(\\s*(?:${LIST_MARK} )?)(?:\\*\\*)?([([]?(?:[a-z]|\\d{1,2})[)\\].]) ?(?:\\*\\* ?){0,2}([^*\\n]+)\\*\\* ?[:–—-] [^*\\n]*$`,
  'gim',
);

/** Returns an output without the remarks behind emphasised short texts. */
function withoutRemarks(output: ModelOutput): ModelOutput {
  return { ...output, text: output.text.replace(REMARKED, '$1$2 $3') };
}

/** Pattern of separators within a text: "Paris, Lyon", "Washington, D.C." */
const JOINED = /[,;，、；]| or /i;

const SIGNED = new RegExp(`^${LIST_MARK} `);

/** Returns the lines, those with a bullet if there are any; a line with a colon is a heading. */
function unmarkedItems(text: string): string[] {
  const lines = linesOf(text).filter((line) => !line.endsWith(':'));
  const signed = lines.filter((line) => SIGNED.test(line));
  return signed.length > 0 ? signed : lines;
}

/** A letter or number, and the signs around it. */
interface Mark {
  open: string;
  said: string;
  close: string;
}

const LETTERED = /(?<![\p{L}\p{N}])\(([a-z])\)/gu;

/**
 * Returns the texts after letters in brackets, "(a) Paris, (b) Lyon"; undefined if there are none.
 */
function letteredItems(text: string): string[] | undefined {
  const marks = [...text.matchAll(LETTERED)].filter(
    ({ 1: letter, index }) => letter === 'a' || startsLine(text, index),
  );
  const [first] = marks;
  if (!first) return undefined;
  const [whole, said = ''] = first;
  const isOutOfOrder = marks.some(({ 1: letter = '' }) => letter < said);
  const mark = { open: '(', said, close: ')' };
  return isOutOfOrder ? [] : split(text.slice(first.index + whole.length), mark);
}

function startsLine(text: string, index: number): boolean {
  return !hasWords(text.slice(text.lastIndexOf('\n', index - 1) + 1, index));
}

/**
 * Returns the texts after marks at the beginning of lines; undefined if there are none. A letter
 * with a full stop counts only among several, since it may be an initial.
 */
function linedItems(text: string, before = '', isNested = false): string[] | undefined {
  const word = `(?:(?:${before})(?: |(?=[\\d([])))?`;
  const pattern = `^ ?(?:${LIST_MARK} )?${word}([([]?)${word}#?([a-z]|\\d{1,2}|[ivx]{2,4})([)\\]:.、．])(?!\\d)[:.]? ?`;
  const marks = [...text.matchAll(new RegExp(pattern, 'gim'))].flatMap((match) => {
    const [whole, open = '', said = '', close = ''] = match;
    const isMark = /\d/.test(said) || /[)\]]/.test(close) || whole.endsWith(' ');
    return isMark
      ? [{ open, said, close, start: match.index, end: match.index + whole.length }]
      : [];
  });
  const [first] = marks;
  if (!first) return undefined;
  if (marks.some(({ said }) => ROMAN.test(said))) return [];
  const own = marks.filter((mark) => kindOf(mark) === kindOf(first));
  const inOrder = own.filter((mark, i) => i === 0 || placeOf(mark) > placeOf(own[i - 1] ?? mark));
  const lines = inOrder.map(({ end }, i) => text.slice(end, inOrder[i + 1]?.start));
  const items = lines.length > 1 ? lines : split(lines.join(), first);
  if (/[a-z]/i.test(first.said) && first.close === '.') {
    const isInitial = items.length === 1 || first.said.toLowerCase() !== 'a';
    if (isInitial) return undefined;
  }
  // "1. (a) Paris"
  return items.flatMap((item) =>
    isNested || !/^[([]/.test(item) ? item : (linedItems(item, before, true) ?? item),
  );
}

const ROMAN = /^[ivx]{2,4}$/i;

function kindOf({ open, said, close }: Mark): string {
  return `${open}${/\d/.test(said) ? 1 : said < 'a' ? 'A' : 'a'}${close}`;
}

function placeOf({ said }: Mark): number {
  return /\d/.test(said) ? Number(said) : said.charCodeAt(0);
}

/**
 * Returns the texts after a mark and its successors. Empty if a text contains another mark of the
 * kind, or the next one without a space around it, which may be part of the text.
 */
function split(text: string, { open, said, close }: Mark): string[] {
  const next = /\d/.test(said)
    ? `${Number(said) + 1}`
    : String.fromCharCode(said.charCodeAt(0) + 1);
  const literal = `${open}${next}${close}`.replace(/[()[\].]/g, '\\$&');
  const apart = close === ')' ? '(?<=\\s)' : '(?<=[,;.?!] ?)';
  const found = new RegExp(open === '' ? `${apart}${literal} ` : literal, 'u').exec(text);
  const item = text.slice(0, found?.index);
  const [line = ''] = linesOf(item);
  const other = /\d/.test(said) ? '\\d{1,2}' : said < 'a' ? '[A-Z]' : '[a-z]|[ivx]{2,4}';
  const left = open === '' ? literal : `\\${open}(?:${other})\\${close}`;
  if (new RegExp(`(?<![\\p{L}\\d])${left}`, 'u').test(line)) return [];
  if (!found) return [item];
  const rest = split(text.slice(found.index + found[0].length), { open, said: next, close });
  return rest.length === 0 ? [] : [item, ...rest];
}

/** Returns the first line of an item, without what joins it to its mark and to the next item. */
function cleaned(item: string, before = ''): string {
  const [line = ''] = linesOf(item);
  const joined = new RegExp(`(?:[,;，、；]| and| or| [-–—])+(?: (?:${before}))?$`, 'iu');
  return unwrapValue(line.replace(/^[:.–-] ?(?=\D)/, '').replace(joined, ''));
}
