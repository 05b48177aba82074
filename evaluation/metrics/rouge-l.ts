/** ROUGE-L: the longest common subsequence of the words of an answer and of a reference. */
import { porterStem } from '../../retrieval/porter-stemmer.js';

export interface RougeOptions {
  /** Compare stems, of words of more than three letters. @default false */
  stem?: boolean;
}

/**
 * The best F-measure over the references, from 0 to 1. Only a-z and 0-9 make words, so texts in
 * other scripts score 0.
 *
 * Source: Lin 2004; equal to `rougeL` of Google's rouge-score 0.1.2, without and with its stemmer
 * (`use_stemmer`). It is sentence level ROUGE-L over the whole text, not `rougeLsum`.
 *
 * @example rougeL('the cat sat', ['the cat was sitting']) // 0.571…
 */
export function rougeL(
  prediction: string,
  references: readonly string[],
  options: RougeOptions = {},
): number {
  const predicted = rougeWords(prediction, options);
  return references.reduce((best, reference) => {
    const words = rougeWords(reference, options);
    if (words.length === 0 || predicted.length === 0) return best;
    const common = longestCommonSubsequence(words, predicted);
    return Math.max(best, (2 * common) / (words.length + predicted.length));
  }, 0);
}

function rougeWords(text: string, { stem = false }: RougeOptions): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return stem ? words.map((word) => (word.length > 3 ? porterStem(word) : word)) : words;
}

/** Its length; one row of the table is enough for that. */
function longestCommonSubsequence(first: readonly string[], second: readonly string[]): number {
  let row = new Uint32Array(second.length + 1);
  for (const word of first) {
    const next = new Uint32Array(second.length + 1);
    for (const [j, other] of second.entries()) {
      next[j + 1] = word === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0);
    }
    row = next;
  }
  return row[second.length] ?? 0;
}
