/** Scores retrieved passages: whether they hold accepted answers, and whether relevant ones come first. Pure. */
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

/**
 * How well a ranking puts relevant passages first, as trec_eval computes it: of one question, each
 * from 0 to 1. A grade is 0 for what is not relevant. Pure.
 */

/** Reciprocal rank: 1 over the rank of the first relevant one of the first k; 0 if none is. */
export function reciprocalRank(grades: readonly number[], k = Infinity): number {
  const at = grades.findIndex((grade) => grade > 0);
  return at === -1 || at >= k ? 0 : 1 / (at + 1);
}

/**
 * Average precision: the precision at the rank of each relevant one, summed, over all that are
 * relevant, found or not.
 *
 * @param relevant How many are relevant; 1 or more.
 * @example averagePrecision([1, 0, 1], 2) // (1/1 + 2/3) / 2
 */
export function averagePrecision(grades: readonly number[], relevant: number): number {
  let found = 0;
  const precisions = grades.map((grade, i) => (grade > 0 ? ++found / (i + 1) : 0));
  return precisions.reduce((total, one) => total + one, 0) / relevant;
}

/**
 * Normalised discounted cumulative gain of the first k: each grade over log2 of 1 plus its rank,
 * summed, over the same of the best order of all that are relevant.
 *
 * Source: Järvelin and Kekäläinen, ACM TOIS 20 (2002), with the grade as gain, as in trec_eval's
 * `ndcg_cut` and in BEIR.
 *
 * @param all The grades of all that are relevant, found or not; one or more.
 */
export function ndcg(grades: readonly number[], all: readonly number[], k = Infinity): number {
  return gain(grades.slice(0, k)) / gain(all.toSorted((a, b) => b - a).slice(0, k));
}

function gain(grades: readonly number[]): number {
  return grades.reduce((total, grade, i) => total + grade / Math.log2(i + 2), 0);
}

/** The share of the relevant ones that are among the first k. @param relevant 1 or more. */
export function recallOf(grades: readonly number[], relevant: number, k = Infinity): number {
  return grades.slice(0, k).filter((grade) => grade > 0).length / relevant;
}
