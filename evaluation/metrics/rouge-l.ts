/**
 * Computes ROUGE-L, which is based on the longest common subsequence of an answer and a reference,
 * as different scripts do. Pure.
 */

import { splitSentences } from '../../core/sentences.js';
import { porterStem } from '../../retrieval/porter-stemmer.js';

/** Options for comparing words in ROUGE-L. */
interface RougeOptions {
  /** Whether words of more than three letters are compared by their stems. @default false */
  stem?: boolean;
}

/**
 * Returns the highest ROUGE-L F-measure over the references, from 0 to 1; 0 without references.
 * Each text counts as one sentence. Words consist of a-z and 0-9, so texts in other scripts score
 * 0.
 *
 * Source: Lin 2004; equal to `rougeL` of Google's rouge-score 0.1.2, also with its stemmer if the
 * option `stem` is set.
 *
 * @example rougeL('the cat sat', ['the cat was sitting']) // 0.571…
 */
export function rougeL(
  prediction: string,
  references: readonly string[],
  options: RougeOptions = {},
): number {
  const predicted = rougeWords(prediction, options);
  return best(references, (reference) => {
    const words = rougeWords(reference, options);
    const common = commonPositions(words, predicted, 'reference').length;
    return fMeasure(common, predicted.length, words.length);
  });
}

/**
 * Returns the highest summary-level ROUGE-L F-measure of stemmed words over the references, from 0
 * to 1; 0 without references. A word of a reference's sentence counts if it is in the longest
 * common subsequence with any sentence of the prediction. ALCE reports it for long answers, and
 * splits sentences with Punkt.
 *
 * Source: Lin 2004, section 3.2; princeton-nlp/ALCE, eval.py (`compute_rouge`).
 */
export function rougeLsum(prediction: string, references: readonly string[]): number {
  const predicted = splitSentences(prediction);
  return best(references, (reference) => rougeLsumOf(predicted, splitSentences(reference)));
}

/**
 * Returns the summary-level ROUGE-L F-measure of stemmed words for one reference, from 0 to 1, as
 * `rougeLsum`; both texts are given as lists of sentences.
 *
 * Source: equal to `rougeLsum` of rouge-score 0.1.2 with its stemmer, sentences on lines.
 */
export function rougeLsumOf(prediction: readonly string[], reference: readonly string[]): number {
  const cut = (sentences: readonly string[]) =>
    sentences.map((sentence) => rougeWords(sentence, { stem: true }));
  const [predicted, wanted] = [cut(prediction), cut(reference)];
  // A word counts no more often than both texts have it.
  const left = countWords(predicted);
  const leftWanted = countWords(wanted);
  let common = 0;
  for (const words of wanted) {
    for (const word of unionOfCommon(words, predicted)) {
      const [one, other] = [left.get(word) ?? 0, leftWanted.get(word) ?? 0];
      if (one === 0 || other === 0) continue;
      common++;
      left.set(word, one - 1);
      leftWanted.set(word, other - 1);
    }
  }
  return fMeasure(common, predicted.flat().length, wanted.flat().length);
}

/**
 * Returns the highest ROUGE-L F-measure over the references, from 0 to 1, as KILT reports it for
 * dialogue and long answers: sentences end at every full stop, words at white space, letter case
 * and punctuation matter, and each distinct word counts once.
 *
 * Source: facebookresearch/KILT, kilt/eval_downstream.py; equal to `rouge-l` of the package rouge
 * (1.0.0 and 1.0.1). A text without a sentence scores 0; that package refuses it.
 */
export function rougeLKilt(prediction: string, references: readonly string[]): number {
  const predicted = kiltSentences(prediction);
  return best(references, (reference) => {
    const wanted = kiltSentences(reference);
    const common = new Set(
      wanted.flatMap((words) =>
        predicted.flatMap((other) =>
          commonPositions(words, other, 'prediction').map((position) => words[position]),
        ),
      ),
    );
    return fMeasure(common.size, new Set(predicted.flat()).size, new Set(wanted.flat()).size);
  });
}

function kiltSentences(text: string): string[][] {
  return text
    .split('.')
    .filter((sentence) => sentence !== '')
    .map((sentence) => sentence.trim().split(/\s+/));
}

function rougeWords(text: string, { stem = false }: RougeOptions): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return stem ? words.map((word) => (word.length > 3 ? porterStem(word) : word)) : words;
}

/**
 * Returns the words of a sentence that are in its longest common subsequence with any of the
 * others.
 */
function unionOfCommon(words: readonly string[], others: readonly string[][]): string[] {
  const positions = new Set(others.flatMap((other) => commonPositions(words, other, 'reference')));
  return words.filter((_, position) => positions.has(position));
}

function countWords(sentences: readonly string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function fMeasure(common: number, predicted: number, wanted: number): number {
  return common === 0 ? 0 : (2 * common) / (predicted + wanted);
}

function best(references: readonly string[], score: (reference: string) => number): number {
  return references.reduce((most, reference) => Math.max(most, score(reference)), 0);
}

/** The text in which the search steps back first if there are several longest subsequences. */
type OnTie = 'reference' | 'prediction';

/**
 * Returns the positions in the reference, ascending from 0, of a longest common subsequence of
 * words.
 */
function commonPositions(
  reference: readonly string[],
  prediction: readonly string[],
  onTie: OnTie,
): number[] {
  const width = prediction.length + 1;
  const lengths = new Uint32Array((reference.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (const [i, word] of reference.entries()) {
    for (const [j, other] of prediction.entries()) {
      lengths[(i + 1) * width + j + 1] =
        word === other ? at(i, j) + 1 : Math.max(at(i, j + 1), at(i + 1, j));
    }
  }
  const positions: number[] = [];
  for (let [i, j] = [reference.length, prediction.length]; i > 0 && j > 0; ) {
    const [back, aside] = [at(i - 1, j), at(i, j - 1)];
    if (reference[i - 1] === prediction[j - 1]) {
      positions.push(--i);
      j--;
    } else if (back > aside || (back === aside && onTie === 'reference')) i--;
    else j--;
  }
  return positions.reverse();
}
