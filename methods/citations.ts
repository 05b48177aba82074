/** Citations in a text: [1], [2][3]. Pure. */

/** A number, or a range of them, as models write it between brackets: 2, #2, passage 2, 2-4. */
const PART = String.raw`(?:(?:passages?|documents?|docs?\.?|sources?|no\.?)\s*)?#?\d{1,3}(?:\s*[-–—]\s*\d{1,3})?`;
const GROUP = new RegExp(
  String.raw`[[【]\s*(${PART}(?:\s*(?:,|;|&|\band\b|,\s*and\b)\s*${PART})*)\s*[\]】]`,
  'gi',
);

/**
 * The numbers a text cites, in its order, repeats included. A year in brackets is no citation.
 *
 * @example citationNumbers('Bell was granted it [1][3], as both say [1, 2].') // [1, 3, 1, 2]
 */
export function citationNumbers(text: string): number[] {
  return [...text.matchAll(GROUP)].flatMap(([, group = '']) => numbersOf(group));
}

/** A passage that a text cites, and the number it cites it by. */
export interface Citation {
  number: number;
  /** Its id. */
  passage: string;
}

/** A text with what it cites. */
export interface CitedText {
  /** With every citation in the form [1][2], and without those of passages that do not exist. */
  text: string;
  /** The numbers cited, 1 to `count`, each once, in the order of their first citation. */
  numbers: number[];
  /** The numbers cited for which there is no passage, each once. */
  unknown: number[];
}

/**
 * Reads the citations of a text to `count` passages.
 *
 * @example readCitations('Bell [1, 7].', 5) // { text: 'Bell [1].', numbers: [1], unknown: [7] }
 */
export function readCitations(text: string, count: number): CitedText {
  const exists = (number: number) => number >= 1 && number <= count;
  const cited = new Set(citationNumbers(text));
  return {
    text: rewritten(text, (numbers) => numbers.filter(exists)),
    numbers: [...cited].filter(exists),
    unknown: [...cited].filter((number) => !exists(number)),
  };
}

/** The text with every citation in the form [1][2], those of passages that do not exist as well. */
export function spelledCitations(text: string): string {
  return rewritten(text, (numbers) => numbers);
}

/** The text without its citations. */
export function withoutCitations(text: string): string {
  return rewritten(text, () => []);
}

/** A group that keeps no number goes, with the space before it. */
function rewritten(text: string, keep: (numbers: number[]) => number[]): string {
  let from = 0;
  let kept = '';
  for (const { 0: whole, 1: group = '', index } of text.matchAll(GROUP)) {
    const numbers = keep([...new Set(numbersOf(group))]);
    const before = text.slice(from, index);
    kept += numbers.length > 0 ? before : before.trimEnd();
    kept += numbers.map((number) => `[${number}]`).join('');
    from = index + whole.length;
  }
  return (kept + text.slice(from)).trim();
}

function numbersOf(group: string): number[] {
  return [...group.matchAll(/(\d+)(?:\s*[-–—]\s*(\d+))?/g)].flatMap(([, first, last]) => {
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    return to < from ? [from, to] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}
