import { distinctAnswers } from '../../core/answer-key.js';
import { isObject } from '../../core/is-object.js';
import { inParts, type ModelOutput, type Output, objectSchema } from './output.js';
import { bareValue, behindLabel, jsonOf, linesOf, membersOf, plainText, says } from './plain.js';

export interface ListForm {
  /** How many are taken, the first ones. */
  most: number;
  form: string;
  /** The words before it, as alternatives of a pattern. */
  label: string;
  /** Whether one line without marks is a list of one. */
  lone: boolean;
}

/**
 * Different texts: marked by letters or numbers in their order ("(a) Paris, (b) Lyon"), one a line,
 * or a JSON array. Of an output that was cut the unfinished one is left out. One that holds the next
 * mark makes all of them unreadable.
 */
export function list({ most, form, label, lone }: ListForm): Output<string[]> {
  function itemsOf(output: ModelOutput): string[] | undefined {
    const [listed = jsonOf(output)] = membersOf(output, ['items']) ?? [];
    if (Array.isArray(listed)) return listed.filter((item) => typeof item === 'string');
    if (isObject(listed)) return undefined;
    const plain = plainText(output);
    const text = behindLabel(plain, label) ?? plain;
    const marked = markedItems(text);
    if (marked) return marked;
    const lines = unmarkedItems(text);
    return lines.length > 1 || lone ? lines : undefined;
  }

  const items = { type: 'array', items: { type: 'string' } };
  return {
    // JSON has no infinity: endpoints refuse a schema in which it has become null.
    schema: objectSchema({ items: most === Infinity ? items : { ...items, maxItems: most } }),
    form,
    read(output) {
      const items = itemsOf(output)?.map(cleaned).filter(says);
      return items && items.length > 0 ? distinctAnswers(items).slice(0, most) : undefined;
    },
    longest: (text) => inParts(text, most),
  };
}

/** Returns the lines, those with a list sign where there are any; a line with a colon is a heading. */
function unmarkedItems(text: string): string[] {
  const lines = linesOf(text).filter((line) => !line.endsWith(':'));
  const signed = lines.filter((line) => /^[-*•] /.test(line));
  return signed.length > 0 ? signed : lines;
}

/** Words before a letter or a number that is a mark: "Answer 1:", "[Question 1]", "Option B)". */
const WORD =
  '(?:(?:answer|candidate|option|choice|(?:sub-?)?question|query|part|q)(?: |(?=[\\d([])))?';

/** "(a) ", "[1] ", "a) ", "1. ", "1、", "Answer 1: ", "ii. " */
const MARK = new RegExp(
  `(?<![a-z\\d])(?:^ ?(?:[-*•] )?)?${WORD}([([]?)${WORD}#?([a-z]|\\d{1,2}|[ivx]{2,4})([)\\]:.、．])(?!\\d)[:.]? ?`,
  'gim',
);

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

interface Mark {
  /** What marks of one list have in common: letters or numbers, and what stands around them. */
  kind: string;
  /** From 1; NaN for Roman numerals, which are not told apart from letters. */
  place: number;
  start: number;
  end: number;
  startsLine: boolean;
  /** It is a mark wherever it stands; another one may be a part of a text. */
  isPlain: boolean;
}

function marksIn(text: string): Mark[] {
  return [...text.matchAll(MARK)].map(({ 0: whole, 1: open, 2: said = '', 3: close, index }) => {
    const isNumber = /\d/.test(said);
    const startsLine = index === 0 || text[index - 1] === '\n';
    const isBracketed = open !== '' && (close === ')' || close === ']');
    const before = close === '.' ? /[,;.?!] ?$/ : /[\s,;]$/;
    return {
      kind: `${open}${isNumber ? 1 : said < 'a' ? 'A' : 'a'}${close}`,
      place: isNumber ? Number(said) : LETTERS.indexOf(said.toLowerCase()) + 1 || Number.NaN,
      start: index,
      end: index + whole.length,
      startsLine,
      isPlain:
        isBracketed ||
        (startsLine && (isNumber || whole.endsWith(' '))) ||
        (whole.endsWith(' ') && before.test(text.slice(Math.max(0, index - 2), index))),
    };
  });
}

/**
 * Returns what stands behind each mark, where the marks are of one kind and come in their order.
 * Undefined where there is none; nothing where another of the kind stands in the line of an item.
 */
function markedItems(text: string): string[] | undefined {
  const marks: Mark[] = [];
  const terminated = `${text}\n`;
  let lineEnd = 0;
  for (const mark of marksIn(text)) {
    const last = marks.at(-1);
    const isNext = last !== undefined && mark.place === last.place + 1;
    const isLater = isNext || (mark.startsLine && mark.place > (last?.place ?? 0));
    if (last ? mark.kind !== last.kind : !mark.isPlain || !isFirst(mark, text)) continue;
    if (mark.isPlain && (last === undefined || isLater)) {
      marks.push(mark);
      lineEnd = terminated.indexOf('\n', mark.end);
    } else if (!(mark.place > 0) || ((isNext || mark.isPlain) && mark.start < lineEnd)) {
      return [];
    }
  }
  const items = marks.map(({ end }, i) => text.slice(end, marks[i + 1]?.start));
  return items.length > 0 ? items.flatMap((item) => nestedItems(item) ?? item) : undefined;
}

/** Tells whether nothing is said before a mark on its line. */
function isFirst({ start }: Mark, text: string): boolean {
  const [line = ''] = text
    .slice(Math.max(0, start - 20), start)
    .split('\n')
    .reverse();
  return !says(line);
}

/** "1. (a) Paris" */
function nestedItems(item: string): string[] | undefined {
  return /^[([]/.test(item) ? markedItems(item) : undefined;
}

/** Returns the first line of an item, without what joins it to the next. */
function cleaned(item: string): string {
  const [line = ''] = linesOf(item);
  return bareValue(line.replace(/(?:[,;，、；]| and| or)+$/, ''));
}
