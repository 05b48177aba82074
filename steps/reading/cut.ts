/** What of an output that was stopped at the token limit is whole. Pure. */
import type { ModelOutput } from '../define.js';

/** Stands where the rest of a cut output would be. */
export const MISSING = '…';

/** A word, number, bracket or mark that may go on where the output was stopped. */
const OPEN_END = /[^\s\])}]{1,200}$/u;

/**
 * The text, and for one that was cut the text without the word it was stopped in, with `MISSING`
 * in its place: "The score is 0." may have become 0.8, and "Passage 1" 12. So no reader takes the
 * end of a cut text for the end of a sentence. A closing bracket is whole: "[8]".
 */
export function closedText({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>): string {
  return cut ? `${text.replace(OPEN_END, '')} ${MISSING}` : text;
}

/** The lines of an output that are whole: of one that was cut all but the last. */
export function wholeLines({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>): string {
  return cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
}

/** An initial, an abbreviation, or the number of an item: the full stop after it ends nothing. */
const SHORT =
  /(?:(?<![\p{L}\p{N}'’])\p{L}|\n[^\p{L}\p{N}\n]{0,6}\d{1,3}|(?<!\p{L})(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Prof|Rev|Gov|Gen|Col|Lt|Capt|Sgt|Sen|Rep|Jr|Sr|No|Nos|Vol|vs|ca|Inc|Ltd|Co|Corp))$/u;

function isShort(text: string, stop: number): boolean {
  const before = text.slice(Math.max(0, stop - 12), stop);
  return SHORT.test(stop <= 12 ? `\n${before}` : before);
}

/** An output up to the end of its last whole sentence or line; empty where it has none. */
export function wholeSentences({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>): string {
  if (!cut) return text;
  const ends = [...text.matchAll(/[.!?。！？]["”’)\]]{0,2}(?=\s|$)|[。！？]|\n/g)];
  // A full stop where the output was stopped may be the point of a number or an initial.
  const end = ends.findLast(
    ({ index, 0: mark }) =>
      index + mark.length < text.length && !(mark.startsWith('.') && isShort(text, index)),
  );
  return end ? text.slice(0, end.index + end[0].length) : '';
}
