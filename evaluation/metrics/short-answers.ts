/** Scores an answer against short accepted ones: containment, token F1 and STR-EM. Pure. */
import { withoutCitations } from '../../core/citations.js';
import { answerWords, normalizeAnswer } from '../../core/normalize-answer.js';

/** Letters of scripts that are written without spaces: each is a word, since none are marked. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

/**
 * Returns 1 if the words of a normalised answer occur consecutively in the normalised prediction,
 * otherwise 0: exact match for answers in sentences, and never less than it. An answer that is
 * empty after normalising is contained only in a prediction that is empty as well. Passages are
 * compared by DPR's own rule, see `hasAnswer` in core/has-answer.ts. Chinese, Japanese, Thai, Lao,
 * Khmer and Burmese have no spaces between words, so any part of the prediction counts.
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

/** Returns the words with a space at every border, so that consecutive words are a substring. */
function wordsOf(text: string): string {
  return ` ${normalizeAnswer(text).replace(UNSPACED, ' $& ').replace(/ +/g, ' ').trim()} `;
}

/**
 * - squad: the words alone decide;
 * - hotpotqa: yes, no and noanswer are right or wrong as a whole, and an answer without words is
 *   never right. The rule of HotpotQA's script, which FlashRAG uses for every data set, and we for
 *   yes/no questions.
 */
type F1Rule = 'squad' | 'hotpotqa';

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

/**
 * A name is in the output when its normalised form is part of the normalised output, inside a
 * word too; citations are taken out first. A name of which nothing is left by normalising is in
 * no output (in ALCE's script it is in every one).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_str_em`, `exact_presence`); LLatrieval's EM-R.
 *
 * @param groups For each short answer all of its names.
 * @throws RangeError when there is no group.
 */
export function shortAnswerRecall(output: string, groups: readonly (readonly string[])[]) {
  if (groups.length === 0) throw new RangeError('There is no short answer to look for.');
  const text = normalizeAnswer(withoutCitations(output));
  const found = groups.filter((names) =>
    names.map(normalizeAnswer).some((name) => name !== '' && text.includes(name)),
  ).length;
  // ALCE's STR-EM is the share of the groups of which one name is in the output; STR-Hit all of them.
  return { recall: found / groups.length, hit: found === groups.length ? 1 : 0 };
}
