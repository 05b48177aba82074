import { normalizeAnswer } from '../../core/normalize-answer.js';

/** Letters of scripts that are written without spaces: each is a word, since none are marked. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

/**
 * 1 when the words of a normalised answer stand in the normalised prediction one after the other,
 * else 0: exact match for those who answer in sentences, and never less than it. An answer of which
 * nothing is left by normalising is in nothing but a prediction of which nothing is left. For
 * passages DPR's own rule is kept, see `hasAnswer` in core/has-answer.ts. Chinese, Japanese, Thai, Lao,
 * Khmer and Burmese have no spaces between words: there any part of the prediction will do.
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

/** With a space at every border, so that words in a row are part of a text. */
function wordsOf(text: string): string {
  return ` ${normalizeAnswer(text).replace(UNSPACED, ' $& ').replace(/ +/g, ' ').trim()} `;
}
