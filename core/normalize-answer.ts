/** Normalises an answer as SQuAD's script compares answers. */

/** Characters of Python's string.punctuation: ASCII only, so typographic quotes and dashes stay. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/**
 * Pattern of articles between Python's word borders: letters and numbers, but no combining marks.
 */
const ARTICLE = /(?<![\p{L}\p{N}])(?:a|an|the)(?![\p{L}\p{N}])/gu;

/**
 * Returns the text in lower case, without punctuation, without articles, and with single spaces, in
 * this order. Letters stay as they are composed: "é" as one or as two code points gives different
 * answers.
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
