/** Tells whether a passage contains an answer, by the rule of Dense Passage Retrieval. */

/**
 * Token pattern of DPR's SimpleTokenizer: runs of letters, numbers and marks, or single visible
 * characters.
 */
const TOKEN = /[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]/gu;

/**
 * Tells whether the tokens of an answer occur consecutively in the text. Both are converted to
 * Unicode NFD and lower case first; `text` must not include the title. An answer without tokens is
 * contained in nothing (in DPR's script it is in everything).
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
 * Returns the tokens of a text for `containsAnswer`, to compare one text with many answers. Tokens
 * contain no spaces, so with a space at every border, token order becomes a substring.
 */
export function answerTokens(text: string): string {
  const tokens = text.normalize('NFD').match(TOKEN);
  return tokens === null ? '' : ` ${tokens.join(' ').toLowerCase()} `;
}

/** Does the same as `hasAnswer`, on results of `answerTokens`. */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  return answers.some((answer) => answer !== '' && text.includes(answer));
}
