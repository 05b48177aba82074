import { normalizeAnswer } from './normalize-answer.js';

/**
 * 1 when the normalised prediction equals one of the normalised answers, else 0. An empty list of
 * answers stands for a question that has none, where only an empty prediction is right.
 *
 * Source: SQuAD's evaluate-v1.1.py (`exact_match_score`) and, for no answer, evaluate-v2.0.py.
 *
 * @example exactMatch('the Nile.', ['Nile']) // 1
 */
export function exactMatch(prediction: string, answers: readonly string[]): number {
  const normalized = normalizeAnswer(prediction);
  const accepted = answers.length > 0 ? answers : [''];
  return accepted.some((answer) => normalizeAnswer(answer) === normalized) ? 1 : 0;
}
