/**
 * BM25 as Lucene computes it, with values of k1 and b that are usual for question answering (0.9
 * and 0.4). Pure.
 */
import { isStopWord, queryWords, stemOf, wordFinder, wordsOf } from './terms.js';

/** BM25's k1: the higher it is, the more repeated terms raise the score. */
export const BM25_K1 = 0.9;
/** BM25's b, from 0 to 1: how much a text's length lowers its score. */
export const BM25_B = 0.4;

/** The statistics of a corpus that BM25 needs. */
export interface CorpusStatistics {
  /** Number of texts. */
  texts: number;
  /** Average length of a text in words, without stop words. */
  averageLength: number;
  /** Returns the number of texts that contain a term. */
  textsWith(term: string): number;
}

/** The terms of a text, with its length. */
interface TextTerms {
  /** Length in words, without stop words. */
  length: number;
  /** Number of occurrences by term. */
  counts: ReadonlyMap<string, number>;
}

/**
 * Returns the terms of a text: `counts`, a map from each term (stemmed word, stop words included)
 * to the number of its occurrences, and `length`, the number of words without stop words.
 */
export function countTerms(text: string): TextTerms {
  const words = wordsOf(text);
  const length = words.filter((word) => !isStopWord(word)).length;
  return { length, counts: tally(words.map(stemOf)) };
}

/**
 * Returns a function from a text to a map with the number of occurrences in it of each of a
 * query's terms (stemmed words); terms that do not occur are left out. It is faster than counting
 * all terms.
 *
 * @param query Number of occurrences by term, as `queryTerms` returns it.
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

/**
 * Returns a map from each term (stemmed word) in a query to the number of its occurrences, without
 * stop words unless there are no others.
 */
export function queryTerms(query: string): Map<string, number> {
  return tally(queryWords(query).map(stemOf));
}

/**
 * Returns a function from the terms of a text, as `countTerms` returns them, to the BM25 score of
 * the text for a query: 0 without a shared term, otherwise above 0.
 *
 * @param query Number of occurrences by term, as `queryTerms` returns it.
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

/**
 * Returns the BM25 score of each text for a query, in the order of the texts, which are taken as
 * the whole corpus.
 */
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
