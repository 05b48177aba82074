/** Splits texts and queries into the terms that BM25 counts. Pure. */
import { porterStem } from './porter-stemmer.js';

/** Letters and digits of any script, with the marks that belong to them. */
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_WORDS = /[a-z0-9]+/g;
/** Pattern of the possessive: "Bell's" is "Bell". */
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/giu;
const APOSTROPHE = /['’]/;
/** Typographic marks, which make English texts more than ASCII without changing a word. */
const DASHES_AND_QUOTES = /[\u00a0\u2010-\u2015\u2018-\u201f\u2026]/g;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\0-\x7f]*$/;
/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** Letters that Unicode does not split into letter and mark; folded as an index folds them. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'] as const,
  ['ł', 'l'] as const,
  ['đ', 'd'] as const,
  ['ð', 'd'] as const,
  ['ı', 'i'] as const,
  ['æ', 'ae'] as const,
  ['œ', 'oe'] as const,
  ['ß', 'ss'] as const,
  ['þ', 'th'],
]);
const FOLDABLE = new RegExp(`[${[...FOLDED.keys()].join('')}]`, 'g');

/** Maximum length of a word, in characters; longer runs are addresses or base64. */
const LONGEST_WORD = 40;

/** Lucene's English stop words; question words ("who", "which") are not among them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then ' +
    'there these they this to was will with'
  ).split(' '),
);

/**
 * Returns the words of a text in their order, including stop words and repeats.
 *
 * A word is a run of letters and digits, in lower case and without accents. "Bell's" is "bell".
 * Scripts without spaces are split into words by `Intl.Segmenter`. Words of more than 40 characters
 * are left out.
 */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  if (ASCII.test(folded)) return (folded.match(ASCII_WORDS) ?? []).filter(isShort);
  const runs = folded.match(WORDS) ?? [];
  const words = UNSPACED.test(folded) ? runs.flatMap(segmented) : runs;
  return words.filter(isShort);
}

/**
 * Returns the words of a query in their order, without stop words; with them if there are no other
 * words.
 */
export function queryWords(query: string): string[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}

/**
 * Returns the words of a query as one text for an engine with its own tokenizer, without stop words
 * unless there are no other words. Words with non-ASCII letters are also included as written, since
 * the engine may fold them differently.
 */
export function queryText(query: string): string {
  const words = queryWords(query);
  if (ASCII.test(query)) return words.join(' ');
  const written = query.normalize('NFC').match(WORDS) ?? [];
  return [...words, ...written.filter((word) => !ASCII.test(word))].join(' ');
}

/**
 * Returns the words of a text in scripts without spaces (Chinese, Japanese, Thai and others), which
 * an engine's own tokenizer would not separate; empty if there are none.
 */
export function unspacedWords(text: string): string[] {
  return UNSPACED.test(text) ? wordsOf(text).filter((word) => UNSPACED.test(word)) : [];
}

/** Returns whether a lower-case word is one of Lucene's English stop words. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Maximum number of cached stems; the cache is cleared when it is full. */
const CACHED_STEMS = 200_000;
const stems = new Map<string, string>();

/**
 * Returns the stem of a word by the Porter stemmer, which is the term that BM25 counts. Stems are
 * cached.
 */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= CACHED_STEMS) stems.clear();
  const stem = porterStem(word);
  stems.set(word, stem);
  return stem;
}

/**
 * Returns a function that returns the words of a text whose first letter is that of one of the
 * terms: a quick filter before stemming.
 */
export function wordFinder(terms: readonly string[]): (text: string) => string[] {
  const beginnings = new Set(terms.map(beginningOf));
  return (text) => wordsOf(text).filter((word) => beginnings.has(beginningOf(word)));
}

/** Returns the first letter; "dying" and the like do not keep the second. */
function beginningOf(term: string): number | undefined {
  return term.codePointAt(0);
}

function isShort(word: string): boolean {
  return word.length <= LONGEST_WORD;
}

/** Returns a text in lower case, without accents and possessives. */
function fold(text: string): string {
  const plain = APOSTROPHE.test(text) ? text.replace(POSSESSIVE, '') : text;
  if (ASCII.test(plain)) return plain.toLowerCase();
  const spaced = plain.replace(DASHES_AND_QUOTES, ' ');
  if (ASCII.test(spaced)) return spaced.toLowerCase();
  return spaced
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED.get(letter) ?? letter);
}

function segmented(run: string): string[] {
  if (!UNSPACED.test(run)) return [run];
  return Array.from(SEGMENTER.segment(run), ({ segment }) => segment);
}
