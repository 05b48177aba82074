/** Citations in a text: [1], [2][3]. Pure. */

/** What a passage is called before its number. */
const NAME = String.raw`(?:passages?|documents?|docs?\.?|sources?)`;
const OTHER_NAME = String.raw`(?:${NAME}|references?|refs?\.?|citations?|cite|no\.?)`;
/** What joins the first and the last of a range: [2-4], [2]–[4]. */
const TO = String.raw`(?:\][-–]\[|\s*(?:[-–—]|\bto\b)\s*)`;
/** A number, or a range of them, as models write it: 2, #2, ^2, passage 2, source: 2, 2-4, 2†lines. */
const NUMBER = String.raw`[#^]?\d{1,3}(?:${TO}#?\d{1,3}|†[^[\]【】,;]{0,40})?`;
const PART = String.raw`(?:${OTHER_NAME}\s*(?::\s*)?)?${NUMBER}`;
const LIST = String.raw`${PART}(?:\s*(?:,|;|&|\band\b|,\s*and\b)\s*${PART})*`;
const END = String.raw`\s*(?:[,;]\s*)?`;
/** "[1,000]" is a number, and no citation. */
const NO_THOUSANDS = String.raw`(?!\d{1,3}(?:,\d{3})+\\?\])`;
/** In round brackets only with the name of a passage: "(1)" may number an item. */
const GROUP = new RegExp(
  [
    String.raw`\\?\[\[\s*(${LIST})${END}\]\\?\]`,
    String.raw`\\?\[\s*${NO_THOUSANDS}(${LIST})${END}\\?\]`,
    String.raw`[【［]\s*(${LIST})${END}[】］]`,
    String.raw`\(\s*(?:see\s+)?(?=${NAME})(${LIST})${END}\)`,
  ].join('|'),
  'gi',
);

/** Returns the citations of a text: each pair of brackets with its numbers. */
function citationsOf(text: string): { whole: string; index: number; numbers: number[] }[] {
  return [...text.matchAll(GROUP)].map((match) => {
    const [whole, ...lists] = match;
    const list = lists.find((one) => one !== undefined) ?? '';
    return { whole, index: match.index, numbers: numbersOf(list) };
  });
}

/**
 * Returns the numbers a text cites, in its order, repeats included. A year in brackets is no
 * citation, and neither is a bare number in round ones.
 *
 * @example citationNumbers('Bell was granted it [1][3], as both say [1, 2].') // [1, 3, 1, 2]
 */
export function citationNumbers(text: string): number[] {
  return citationsOf(text).flatMap(({ numbers }) => numbers);
}

/** A passage that a text cites, and the number it cites it by. */
export interface Citation {
  number: number;
  passage: string;
}

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

/** Returns the text with all citations as [1][2], also of passages that do not exist. */
export function spelledCitations(text: string): string {
  return rewritten(text, (numbers) => numbers);
}

export function withoutCitations(text: string): string {
  return rewritten(text, () => []);
}

/**
 * Returns an answer without the citations behind it; one that is nothing else stays as it is.
 *
 * @example withoutLastCitations('Bell [1], [Passage 3].') // 'Bell'
 */
export function withoutLastCitations(answer: string): string {
  let end = answer.length;
  for (const { whole, index } of citationsOf(answer).reverse()) {
    if (!/^[\s,;.]*$/.test(answer.slice(index + whole.length, end))) break;
    end = index;
  }
  const before = answer.slice(0, end).replace(/[\s,;]+$/, '');
  return end < answer.length && /[\p{L}\p{N}]/u.test(before) ? before : answer;
}

/**
 * Returns the text with `keep` applied to each group; an empty group is removed. Where that would
 * join what stood apart into another citation ("[1]-【4】", "[1 [9], 2]" without its 9), spaces keep
 * it apart, and an empty group stays as [].
 */
function rewritten(text: string, keep: (numbers: number[]) => number[]): string {
  const kept = citationsOf(text).map((group) => ({
    ...group,
    numbers: keep([...new Set(group.numbers)]),
  }));
  const joined = spelled(text, kept, (citation) => citation);
  const cites = kept.flatMap(({ numbers }) => numbers);
  return citationNumbers(joined).join() === cites.join()
    ? joined
    : spelled(text, kept, (citation) => ` ${citation || '[]'} `);
}

/** Returns the text with each group written as `spell` says for its form [1][2]. */
function spelled(
  text: string,
  groups: ReturnType<typeof citationsOf>,
  spell: (citation: string) => string,
): string {
  let from = 0;
  let kept = '';
  for (const { whole, index, numbers } of groups) {
    const before = text.slice(from, index);
    kept += numbers.length > 0 ? before : before.trimEnd();
    kept += spell(numbers.map((number) => `[${number}]`).join(''));
    from = index + whole.length;
  }
  return (kept + text.slice(from)).trim();
}

function numbersOf(group: string): number[] {
  const plain = group.replace(/†[^,;]*/g, '').replace(/[\][]/g, '');
  return [...plain.matchAll(/(\d+)(?:\s*(?:[-–—]|to)\s*#?(\d+))?/gi)].flatMap(([, first, last]) => {
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    return to < from ? [from, to] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

/** The last reading of a method that may answer with citations. */
export interface FinalReading {
  /** The answer as read; null when it could not be read or there was nothing to cite. */
  reading: string | null;
  /** What the answer cites, in the order of first citation, where it was to cite. */
  citations?: Citation[];
}
