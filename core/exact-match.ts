import { normalizeAnswer } from './normalize-answer.js';

/**
 * Returns 1 if the normalised prediction equals a normalised answer, otherwise 0. An empty list of
 * answers means that the question has none; then only an empty prediction is right.
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
