/** How much of the accepted answers is in the retrieved or generated passages. */
import { answerTokens, containsAnswer } from '../../core/normalize-answer.js';

/**
 * Recall@k of one question: 1 when one of the first k passages contains an answer, else 0.
 *
 * @param hits Whether each passage contains an answer, best passage first.
 * @example recallAt(5, passages.map(({ text }) => hasAnswer(text, answers)))
 */
export function recallAt(k: number, hits: readonly boolean[]): number {
  return hits.slice(0, k).includes(true) ? 1 : 0;
}

/**
 * Returns how many of the possible answers are contained in the texts, each by any of its names.
 * Over a data set, GenRead divides the sum of `found` by the sum of `answers`.
 *
 * Source: GenRead (Yu et al., ICLR 2023), section 4.3.2. If a data set lists aliases without saying
 * which belong together, each is a group of its own ("w. alias" there).
 *
 * @param groups All names of each possible answer.
 */
export function answerCoverage(texts: readonly string[], groups: readonly (readonly string[])[]) {
  const tokens = texts.map(answerTokens);
  const found = groups.filter((names) => {
    const wanted = names.map(answerTokens);
    return tokens.some((text) => containsAnswer(text, wanted));
  });
  return { found: found.length, answers: groups.length };
}
