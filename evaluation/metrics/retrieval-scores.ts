/**
 * Scores retrieved passages: whether they contain accepted answers, and at which ranks relevant
 * ones are. Pure.
 */
import { answerTokens, containsAnswer } from '../../core/normalize-answer.js';

/**
 * Returns Recall@k of one question: 1 if one of the first k passages contains an accepted answer,
 * else 0.
 *
 * @param hits For each passage, best first, whether it contains an answer.
 * @example recallAt(5, passages.map(({ text }) => hasAnswer(text, answers)))
 */
export function recallAt(k: number, hits: readonly boolean[]): number {
  return hits.slice(0, k).includes(true) ? 1 : 0;
}

/**
 * Returns the number of possible answers that occur in the texts by any of their names (`found`),
 * and the number of all (`answers`). Over a data set, GenRead divides the sum of `found` by the sum
 * of `answers`.
 *
 * Source: GenRead (Yu et al., ICLR 2023), section 4.3.2. If a data set lists aliases without saying
 * which belong together, each is a group of its own ("w. alias" there).
 *
 * @param groups For each possible answer, all of its names.
 */
export function answerCoverage(texts: readonly string[], groups: readonly (readonly string[])[]) {
  const tokens = texts.map(answerTokens);
  const found = groups.filter((names) => {
    const wanted = names.map(answerTokens);
    return tokens.some((text) => containsAnswer(text, wanted));
  });
  return { found: found.length, answers: groups.length };
}

/**
 * Returns the reciprocal rank of one question, as trec_eval does: 1 over the rank, from 1, of the
 * first relevant passage; 0 if none of the first k is relevant.
 *
 * @param grades Relevance grade of each passage, best passage first; 0 if it is not relevant.
 */
export function reciprocalRank(grades: readonly number[], k = Infinity): number {
  const at = grades.findIndex((grade) => grade > 0);
  return at === -1 || at >= k ? 0 : 1 / (at + 1);
}

/**
 * Returns the average precision of one question, from 0 to 1, as trec_eval does: the sum of the
 * precisions at the ranks of relevant passages, divided by the number of relevant passages.
 *
 * @param grades Relevance grade of each passage, best passage first; 0 if it is not relevant.
 * @param relevant Number of relevant passages, found or not; 1 or more.
 * @example averagePrecision([1, 0, 1], 2) // (1/1 + 2/3) / 2
 */
export function averagePrecision(grades: readonly number[], relevant: number): number {
  let found = 0;
  const precisions = grades.map((grade, i) => (grade > 0 ? ++found / (i + 1) : 0));
  return precisions.reduce((total, one) => total + one, 0) / relevant;
}

/**
 * Returns the normalised discounted cumulative gain of the first k passages, from 0 to 1: the sum
 * of the grades, each over log2(1 + rank), divided by that of the best possible order.
 *
 * Source: Järvelin and Kekäläinen, ACM TOIS 20 (2002), with the grade as gain, as in trec_eval's
 * `ndcg_cut` and in BEIR.
 *
 * @param grades Relevance grade of each passage, best passage first; 0 if it is not relevant.
 * @param all Grades of all relevant passages, found or not; one or more.
 */
export function ndcg(grades: readonly number[], all: readonly number[], k = Infinity): number {
  return gain(grades.slice(0, k)) / gain(all.toSorted((a, b) => b - a).slice(0, k));
}

function gain(grades: readonly number[]): number {
  return grades.reduce((total, grade, i) => total + grade / Math.log2(i + 2), 0);
}

/**
 * Returns the fraction of the relevant passages that are among the first k.
 *
 * @param grades Relevance grade of each passage, best passage first; 0 if it is not relevant.
 * @param relevant Number of relevant passages, found or not; 1 or more.
 */
export function relevantRecall(grades: readonly number[], relevant: number, k = Infinity): number {
  return grades.slice(0, k).filter((grade) => grade > 0).length / relevant;
}
