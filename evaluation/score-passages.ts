import type { PassageScores, ScoredQuestion } from '../core/metric.js';
import { hasAnswer } from '../core/normalize-answer.js';
import { answerCoverage, recallAt } from './metrics/retrieval-scores.js';
import { saysNone } from './metrics/says-none.js';

/** Values of k for Recall@k. Tables show those up to the number of passages that were read. */
export const RECALL_DEPTHS = [1, 5, 10, 20, 50, 100];

/**
 * Returns which passages contain an answer, Recall@k by k, and the answer coverage. Undefined if
 * containment means nothing: for yes/no questions and labels, and if there is no answer.
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
