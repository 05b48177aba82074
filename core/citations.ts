/** Citations in a text: [1], [2][3]. Pure. */

/** Pattern of the words for a passage before its number. */
const NAME = String.raw`(?:passages?|documents?|docs?\.?|sources?)`;
const OTHER_NAME = String.raw`(?:${NAME}|references?|refs?\.?|citations?|cite|no\.?)`;
/** Pattern between the first and last number of a range: [2-4], [2]–[4]. */
const TO = String.raw`(?:\][-–]\[|\s*(?:[-–—]|\bto\b)\s*)`;
/**
 * Pattern of a number or range, as models write it: 2, #2, ^2, passage 2, source: 2, 2-4, 2†lines.
 */
const NUMBER = String.raw`[#^]?\d{1,3}(?:${TO}#?\d{1,3}|†[^[\]【】,;]{0,40})?`;
const PART = String.raw`(?:${OTHER_NAME}\s*(?::\s*)?)?${NUMBER}`;
const LIST = String.raw`${PART}(?:\s*(?:,|;|&|\band\b|,\s*and\b)\s*${PART})*`;
const END = String.raw`\s*(?:[,;]\s*)?`;
/** Excludes numbers with thousands separators, such as "[1,000]". */
const NO_THOUSANDS = String.raw`(?!\d{1,3}(?:,\d{3})+\\?\])`;
/**
 * Pattern of citations in brackets; in round ones only with a word for a passage, since "(1)" may
 * number an item.
 */
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
 * Returns the cited numbers of a text, in their order, repeats included; of a range such as [2-4],
 * all its numbers. A year in brackets is not a citation, nor is a bare number in round brackets.
 *
 * @example citationNumbers('Bell was granted it [1][3], as both say [1, 2].') // [1, 3, 1, 2]
 */
export function citationNumbers(text: string): number[] {
  return citationsOf(text).flatMap(({ numbers }) => numbers);
}

/** A number that an answer cites, with the id of the passage that has this number. */
export interface Citation {
  /** The number in brackets, from 1. */
  number: number;
  /** Id of the passage. */
  passage: string;
}

/** A text with its citations in a uniform form, and the cited numbers. */
interface CitedText {
  /**
   * The text with every citation in the form [1][2], without citations of passages that do not
   * exist.
   */
  text: string;
  /** Distinct cited numbers, from 1 to `count`, in the order of first citation. */
  numbers: number[];
  /** Distinct cited numbers without a passage. */
  unknown: number[];
}

/**
 * Reads the citations of a text, written in any form, of passages numbered from 1 to `count`.
 * Returns the text with existing citations in the form [1][2] and without the others (`text`), the
 * distinct cited numbers in the order of first citation (`numbers`), and those without a passage
 * (`unknown`).
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

/**
 * Returns the text with all citations in the form [1][2], including those of passages that do not
 * exist.
 */
export function withUniformCitations(text: string): string {
  return rewritten(text, (numbers) => numbers);
}

/** Returns the text without its citations. */
export function withoutCitations(text: string): string {
  return rewritten(text, () => []);
}

/**
 * Returns an answer without the citations at its end; unchanged if nothing else would remain.
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
 * Returns the text with `keep` applied to each group; an empty group is removed. Spaces are added
 * if the removal would join text into another citation ("[1]-【4】", "[1 [9], 2]" without its 9), and
 * an empty group may stay as [].
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

/** Returns the text with each group written by `spell`, which gets its form [1][2]. */
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

/**
 * The final answer of a method as read from the model's output (null if it could not be read, or
 * if there was nothing to cite), with its citations if the prompt asked for any.
 */
export interface FinalReading {
  /** The answer; null if the output could not be read or there was nothing to cite. */
  reading: string | null;
  /** Citations in the order of first citation; absent unless the prompt asked for citations. */
  citations?: Citation[];
}
