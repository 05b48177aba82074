/** Whether an answer has one of the accepted answers in it. */
import { normalizeAnswer } from './normalize-answer.js';

/**
 * 1 when the words of a normalised answer stand in the normalised prediction one after the other,
 * else 0: exact match for those who answer in sentences, and never less than it. An answer of which
 * nothing is left by normalising is in nothing but a prediction of which nothing is left. For
 * passages DPR's own rule is kept, see `hasAnswer` in ../has-answer.ts.
 *
 * @example containsAccepted('It is the Nile.', ['Nile']) // 1
 */
export function containsAccepted(prediction: string, answers: readonly string[]): number {
  const predicted = ` ${normalizeAnswer(prediction)} `;
  const accepted = answers.length > 0 ? answers : [''];
  return accepted.some((answer) => {
    const wanted = ` ${normalizeAnswer(answer)} `;
    return wanted === predicted || (wanted.trim() !== '' && predicted.includes(wanted));
  })
    ? 1
    : 0;
}
