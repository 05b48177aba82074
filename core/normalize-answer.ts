/** Brings an answer to the form in which SQuAD's script compares answers. */

/** Python's string.punctuation: ASCII only, so that typographic quotes and dashes stay. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** Python's word border: letters and numbers, but no combining marks. */
const ARTICLE = /(?<![\p{L}\p{N}])(?:a|an|the)(?![\p{L}\p{N}])/gu;

/**
 * Lower case, then without punctuation, then without articles, then single spaces. Letters stay
 * as they are composed: "é" in one and in two code points are different answers.
 *
 * Source: SQuAD's evaluate-v1.1.py and evaluate-v2.0.py (`normalize_answer`), which FlashRAG,
 * torchmetrics, ALCE and DPR repeat.
 *
 * @example normalizeAnswer('The  U.S. army') // 'us army'
 */
export function normalizeAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(PUNCTUATION, '')
    .replace(ARTICLE, ' ')
    .replace(/\p{White_Space}+/gu, ' ')
    .trim();
}

export function answerWords(text: string): string[] {
  const normalized = normalizeAnswer(text);
  return normalized === '' ? [] : normalized.split(' ');
}
