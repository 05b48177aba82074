import type { PassageScores, ScoredQuestion } from '../core/metric.js';
import { hasAnswer } from '../core/normalize-answer.js';
import { answerCoverage, recallAt } from './metrics/retrieval-scores.js';
import { saysNone } from './metrics/says-none.js';

/** Depths of Recall@k, of which those are shown that the passages that were read reach. */
export const DEPTHS = [1, 5, 10, 20, 50, 100];

/**
 * Returns how many of the answers the passages contain; undefined if containment means nothing: for
 * yes/no questions and labels, without answers, and if the answer is that there is none.
 *
 * @param texts Texts best first, without titles.
 */
export function scorePassages(
  {
    answers,
    answerKind,
    answerGroups,
  }: Pick<ScoredQuestion, 'answers' | 'answerKind' | 'answerGroups'>,
  texts: readonly string[],
  depths: readonly number[] = DEPTHS,
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
