/** Token F1: how far the words of a prediction and of an accepted answer are the same. */
import { answerWords } from '../../core/normalize-answer.js';

/**
 * - squad: the words alone decide;
 * - hotpotqa: yes, no and noanswer are right or wrong as a whole, and an answer without words is
 *   never right. The rule of HotpotQA's script, which FlashRAG uses for every data set, and we for
 *   yes/no questions.
 */
export type F1Rule = 'squad' | 'hotpotqa';

/**
 * Returns the best F1 over the accepted answers, from 0 to 1. A prediction and an answer that both
 * have no words are equal. An empty list of answers means that the question has none; then only an
 * empty prediction is right.
 *
 * Source: SQuAD's evaluate-v1.1.py (`f1_score`) and evaluate-v2.0.py (`compute_f1`); HotpotQA's
 * hotpot_evaluate_v1.py (`f1_score`).
 *
 * @example tokenF1('Alexander Bell', ['Alexander Graham Bell', 'Bell']) // 0.8
 */
export function tokenF1(
  prediction: string,
  answers: readonly string[],
  rule: F1Rule = 'squad',
): number {
  const predicted = answerWords(prediction);
  const accepted = answers.length > 0 ? answers : [''];
  return Math.max(...accepted.map((answer) => overlap(predicted, answerWords(answer), rule)));
}

function overlap(predicted: readonly string[], accepted: readonly string[], rule: F1Rule): number {
  const same = predicted.join(' ') === accepted.join(' ');
  if (rule === 'hotpotqa' && !same && (isWhole(predicted) || isWhole(accepted))) return 0;
  if (predicted.length === 0 || accepted.length === 0) return same && rule === 'squad' ? 1 : 0;
  const common = countCommon(predicted, accepted);
  return common === 0 ? 0 : (2 * common) / (predicted.length + accepted.length);
}

const WHOLE: ReadonlySet<string> = new Set(['yes', 'no', 'noanswer']);

function isWhole(words: readonly string[]): boolean {
  return words.length === 1 && WHOLE.has(words[0] ?? '');
}

/** Words in both, a repeated word as often as both have it. */
function countCommon(first: readonly string[], second: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of first) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common++;
  }
  return common;
}
