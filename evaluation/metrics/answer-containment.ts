import { normalizeAnswer } from '../../core/normalize-answer.js';

/** Letters of scripts that are written without spaces: each is a word, since none are marked. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

/**
 * Returns 1 if the words of a normalised answer occur consecutively in the normalised prediction,
 * otherwise 0: exact match for answers in sentences, and never less than it. An answer that is
 * empty after normalising is contained only in a prediction that is empty as well. Passages are
 * compared by DPR's own rule, see `hasAnswer` in core/has-answer.ts. Chinese, Japanese, Thai, Lao,
 * Khmer and Burmese have no spaces between words, so any part of the prediction counts.
 *
 * @example containsAccepted('It is the Nile.', ['Nile']) // 1
 */
export function containsAccepted(prediction: string, answers: readonly string[]): number {
  const predicted = wordsOf(prediction);
  const accepted = answers.length > 0 ? answers : [''];
  return accepted.some((answer) => {
    const wanted = wordsOf(answer);
    return wanted === predicted || (wanted.trim() !== '' && predicted.includes(wanted));
  })
    ? 1
    : 0;
}

/** Returns the words with a space at every border, so that consecutive words are a substring. */
function wordsOf(text: string): string {
  return ` ${normalizeAnswer(text).replace(UNSPACED, ' $& ').replace(/ +/g, ' ').trim()} `;
}
