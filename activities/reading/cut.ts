/** What of an output that was stopped at the token limit is whole. Pure. */
import type { ModelOutput } from '../step.js';

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
