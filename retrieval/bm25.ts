/**
 * BM25 as Lucene computes it, with the usual k1 and b for question answering (0.9 and 0.4). Pure.
 */
import { isStopWord, queryWords, stemOf, wordFinder, wordsOf } from './terms.js';

/** BM25's k1, which limits the effect of repeated terms. b sets the effect of a text's length. */
export const BM25_K1 = 0.9;
export const BM25_B = 0.4;

export interface CorpusStatistics {
  texts: number;
  /** Average length in words, without stop words. */
  averageLength: number;
  /** Returns how many texts have a term. */
  textsWith(term: string): number;
}

interface TextTerms {
  /** Length in words, without stop words. */
  length: number;
  counts: ReadonlyMap<string, number>;
}

/** Returns the number of occurrences of each term in a text, and its length in words. */
export function countTerms(text: string): TextTerms {
  const words = wordsOf(text);
  const length = words.filter((word) => !isStopWord(word)).length;
  return { length, counts: tally(words.map(stemOf)) };
}

/**
 * Returns a function that counts only a query's terms in a text, which is faster than counting all.
 */
export function queryTermCounter(
  query: ReadonlyMap<string, number>,
): (text: string) => Map<string, number> {
  const find = wordFinder([...query.keys()]);
  return (text) =>
    tally(
      find(text)
        .map(stemOf)
        .filter((term) => query.has(term)),
    );
}

/** Returns the number of occurrences of each term in a query. */
export function queryTerms(query: string): Map<string, number> {
  return tally(queryWords(query).map(stemOf));
}

/**
 * Returns a function that computes the BM25 score of a text for a query: 0 or more, 0 without a
 * shared term.
 */
export function bm25(
  query: ReadonlyMap<string, number>,
  { texts, averageLength, textsWith }: CorpusStatistics,
): (text: TextTerms) => number {
  const weights = Array.from(query, ([term, count]) => {
    const having = Math.min(textsWith(term), texts);
    return [term, count * Math.log(1 + (texts - having + 0.5) / (having + 0.5))] as const;
  });
  return ({ length, counts }) => {
    const saturation = BM25_K1 * (1 - BM25_B + (BM25_B * length) / (averageLength || 1));
    return weights.reduce((score, [term, weight]) => {
      const count = counts.get(term) ?? 0;
      return score + (weight * count) / (count + saturation);
    }, 0);
  };
}

/** Returns the BM25 score of each text for a query, with these texts as the whole corpus. */
export function bm25Scores(query: string, texts: readonly string[]): number[] {
  const terms = queryTerms(query);
  const counted = texts.map(countTerms);
  const score = bm25(terms, {
    texts: texts.length,
    averageLength: counted.reduce((sum, { length }) => sum + length, 0) / (texts.length || 1),
    textsWith: (term) => counted.filter(({ counts }) => counts.has(term)).length,
  });
  return counted.map(score);
}

function tally(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
