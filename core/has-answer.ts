/** Whether a passage contains an answer, by the rule of Dense Passage Retrieval. */

/** DPR's SimpleTokenizer: runs of letters, numbers and marks, else each visible character. */
const TOKEN = /[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]/gu;

/**
 * True when the tokens of one of the answers stand in the text one after the other.
 * Both are brought to Unicode NFD and lower case first; the caller leaves the title out of
 * `text`. An answer with no tokens is contained in nothing (in DPR's script it is in everything).
 *
 * Source: facebookresearch/DPR, dpr/data/qa_validation.py (`has_answer`, match type "string")
 * and dpr/utils/tokenizers.py (`SimpleTokenizer`).
 *
 * @example hasAnswer('Gagarin flew on 12 April 1961.', ['April 1961']) // true
 */
export function hasAnswer(text: string, answers: readonly string[]): boolean {
  return containsAnswer(answerTokens(text), answers.map(answerTokens));
}

/**
 * The tokens of a text as `containsAnswer` takes them, for a caller who asks many times about
 * the same text. Tokens hold no spaces, so a space at every border makes token order a substring.
 */
export function answerTokens(text: string): string {
  const tokens = text.normalize('NFD').match(TOKEN);
  return tokens === null ? '' : ` ${tokens.join(' ').toLowerCase()} `;
}

/** `hasAnswer` on what `answerTokens` gave. */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  return answers.some((answer) => answer !== '' && text.includes(answer));
}
