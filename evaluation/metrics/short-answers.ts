/** Scores an answer against short accepted answers: containment, token F1 and STR-EM. Pure. */
import { withoutCitations } from '../../core/citations.js';
import { answerWords, normalizeAnswer } from '../../core/normalize-answer.js';

/** Letters of scripts that are written without spaces. Each counts as a word. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

/**
 * Returns 1 if the words of an accepted answer, normalised, occur consecutively in the normalised
 * prediction, else 0. It is never less than the exact match. An answer that is empty after
 * normalising is contained only in a prediction that is empty as well; without accepted answers,
 * only such a prediction is right. Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces
 * between words, so any part of the prediction counts. Passages are compared by another rule, see
 * `hasAnswer` in core/normalize-answer.ts.
 *
 * @example containsAccepted('It is the Nile.', ['Nile']) // 1
 */
export function containsAccepted(prediction: string, answers: readonly string[]): number {
  const predicted = wordsOf(prediction);
  const accepted = answers.length > 0 ? answers : [''];
  return accepted.some((answer) => {
    const wanted = wordsOf(answer);
    return wanted === predicted || (wanted.trim() !== '' && predicted.includes(wanted));
  })
    ? 1
    : 0;
}

/** Returns the words with spaces around each, so that consecutive words are a substring. */
function wordsOf(text: string): string {
  return ` ${normalizeAnswer(text).replace(UNSPACED, ' $& ').replace(/ +/g, ' ').trim()} `;
}

/**
 * The rule by which the F1 of a prediction is computed:
 *
 * - squad: by the words alone;
 * - hotpotqa: yes, no and noanswer are right or wrong as a whole, and an answer without words is
 *   never right. This is the rule of HotpotQA's script. FlashRAG uses it for every data set, this
 *   project for yes/no questions.
 */
type F1Rule = 'squad' | 'hotpotqa';

/**
 * Returns the highest token F1 over the accepted answers, from 0 to 1. By the rule "squad", a
 * prediction and an answer that both have no words are equal, and if there are no accepted answers,
 * only a prediction without words is right. By "hotpotqa" a text without words scores 0.
 *
 * Source: SQuAD's evaluate-v1.1.py (`f1_score`) and evaluate-v2.0.py (`compute_f1`); HotpotQA's
 * hotpot_evaluate_v1.py (`f1_score`).
 *
 * @param rule How yes and no, and texts without words, are compared: see `F1Rule`. @default squad
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

/** Returns the number of common words; a repeated word counts as often as both have it. */
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

/**
 * Returns STR-EM (`recall`), the fraction of the short answers that the output contains, and
 * STR-Hit (`hit`), 1 if it contains all of them, else 0. An answer is contained if the normalised
 * form of one of its names is a substring of the normalised output without citations. A name that
 * is empty after normalising is never contained (in ALCE's script it always is).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_str_em`, `exact_presence`); LLatrieval's EM-R.
 *
 * @param groups For each short answer, all of its names.
 * @throws RangeError if there are no groups.
 */
export function shortAnswerRecall(output: string, groups: readonly (readonly string[])[]) {
  if (groups.length === 0) throw new RangeError('There is no short answer to look for.');
  const text = normalizeAnswer(withoutCitations(output));
  const found = groups.filter((names) =>
    names.map(normalizeAnswer).some((name) => name !== '' && text.includes(name)),
  ).length;

  return { recall: found / groups.length, hit: found === groups.length ? 1 : 0 };
}
