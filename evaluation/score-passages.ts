/** Scores the passages of a question by the answers that they contain. Pure. */
import type { PassageScores, ScoredQuestion } from '../core/metric.js';
import { hasAnswer } from '../core/normalize-answer.js';
import { answerCoverage, recallAt } from './metrics/retrieval-scores.js';
import { saysNone } from './metrics/says-none.js';

/**
 * List of the values of k for which Recall@k is computed. Tables show those below the largest
 * number of passages that were read for a question, and this number.
 */
export const RECALL_DEPTHS = [1, 5, 10, 20, 50, 100];

/**
 * Returns, for the passages of a question, whether each contains an accepted answer (`hits`),
 * Recall@k by k (`recall`, 0 or 1), and the numbers of accepted answers `found` and of all
 * `answers` (`coverage`). Undefined if the answers cannot be found in passages: for yes/no
 * questions and labels, and if there is no accepted answer, or only such as "unknown", which say
 * that there is none.
 *
 * @param texts Texts of the passages, best first, without titles.
 * @param depths Values of k for Recall@k.
 */
export function scorePassages(
  {
    answers,
    answerKind,
    answerGroups,
  }: Pick<ScoredQuestion, 'answers' | 'answerKind' | 'answerGroups'>,
  texts: readonly string[],
  depths: readonly number[] = RECALL_DEPTHS,
): PassageScores | undefined {
  if (answerKind === 'boolean' || answerKind === 'label' || answers.every(saysNone)) {
    return undefined;
  }
  const hits = texts.map((text) => hasAnswer(text, answers));
  return {
    hits,
    recall: Object.fromEntries(depths.map((k) => [k, recallAt(k, hits)])),
    coverage: answerCoverage(texts, answerGroups ?? answers.map((answer) => [answer])),
  };
}
