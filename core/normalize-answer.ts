/**
 * Compares answers by the normalisation of SQuAD's script, and finds answers in passages as DPR
 * does. Pure.
 */

/** Characters of Python's string.punctuation: ASCII only, so typographic quotes and dashes stay. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/**
 * Pattern of articles between Python's word borders: letters and numbers, but no combining marks.
 */
const ARTICLE = /(?<![\p{L}\p{N}])(?:a|an|the)(?![\p{L}\p{N}])/gu;

/**
 * Returns the text in lower case, without punctuation, without articles, and with single spaces, in
 * this order. Unicode is not normalised: "é" as one or as two code points gives different answers.
 *
 * Source: SQuAD's evaluate-v1.1.py and evaluate-v2.0.py (`normalize_answer`), which FlashRAG,
 * torchmetrics, ALCE and DPR repeat.
 *
 * @example normalizeAnswer('The U.S. army') // 'us army'
 */
export function normalizeAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(PUNCTUATION, '')
    .replace(ARTICLE, ' ')
    .replace(/\p{White_Space}+/gu, ' ')
    .trim();
}

/**
 * Normalises an answer (`normalizeAnswer`) and returns its words, in order; empty if none remain.
 */
export function answerWords(text: string): string[] {
  const normalized = normalizeAnswer(text);
  return normalized === '' ? [] : normalized.split(' ');
}

/**
 * Returns 1 if the normalised prediction equals one of the normalised answers, otherwise 0. An
 * empty list of answers means that the question has none; then only a prediction without words
 * after normalisation is right.
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

/**
 * Token pattern of DPR's SimpleTokenizer: runs of letters, numbers and marks, or single visible
 * characters.
 */
const TOKEN = /[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]/gu;

/**
 * Returns whether the tokens of any answer occur consecutively in a passage's text, after
 * conversion to Unicode NFD and lower case. `text` must not include the title. An answer without
 * tokens never occurs (in DPR's script it always does).
 *
 * Source: facebookresearch/DPR, dpr/data/qa_validation.py (`has_answer`, match type "string") and
 * dpr/utils/tokenizers.py (`SimpleTokenizer`).
 *
 * @example hasAnswer('Gagarin flew on 12 April 1961.', ['April 1961']) // true
 */
export function hasAnswer(text: string, answers: readonly string[]): boolean {
  return containsAnswer(answerTokens(text), answers.map(answerTokens));
}

/**
 * Returns the tokens of a text in lower case as one text, with a space before and after each
 * token, so that consecutive tokens are a substring; empty if there are none. Prepares a text once
 * for many calls of `containsAnswer`.
 */
export function answerTokens(text: string): string {
  const tokens = text.normalize('NFD').match(TOKEN);
  return tokens === null ? '' : ` ${tokens.join(' ').toLowerCase()} `;
}

/**
 * Returns whether any answer occurs in the text, like `hasAnswer`. The text and the answers must be
 * results of `answerTokens`.
 */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  return answers.some((answer) => answer !== '' && text.includes(answer));
}
