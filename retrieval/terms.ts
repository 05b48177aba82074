/** How texts and questions become the terms that BM25 counts. Pure. */
import { porterStem } from './porter-stemmer.js';

/** Letters and digits of any script, with the marks that belong to them. */
const ANY_WORD = '\\p{L}\\p{M}\\p{N}';
const WORDS = new RegExp(`[${ANY_WORD}]+`, 'gu');
/** Of a name: "Bell's" is "Bell". */
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/giu;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\0-\x7f]*$/;
/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** Letters that are no letter with a mark to Unicode; folded as an index folds them. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ...[['ø', 'o'] as const, ['ł', 'l'] as const, ['đ', 'd'] as const, ['ð', 'd'] as const],
  ...[['ı', 'i'] as const, ['æ', 'ae'] as const, ['œ', 'oe'] as const, ['ß', 'ss'] as const],
  ['þ', 'th'],
]);
const FOLDABLE = new RegExp(`[${[...FOLDED.keys()].join('')}]`, 'g');

/** Longer runs are no words: addresses, base64. */
const LONGEST_WORD = 40;

/** Those that Lucene leaves out of English: what asks ("who", "which") is a term like any other. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then ' +
    'there these they this to was will with'
  ).split(' '),
);

/** Words in lower case without accents, stop words included, in the order of the text. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  const runs = folded.match(WORDS) ?? [];
  const words = UNSPACED.test(folded) ? runs.flatMap(segmented) : runs;
  return words.filter(isShort);
}

/** What a question is searched by: its words without stop words, or all of them where no other is. */
export function queryWords(query: string): string[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}

/**
 * The same as one text, for an index that cuts texts into words by itself; of a script without
 * spaces it may make one word of what are several here, so the question is there as it stands, too.
 */
export function queryText(query: string): string {
  const words = queryWords(query).join(' ');
  return UNSPACED.test(query) ? `${words} ${query}` : words;
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Few words make up most of a text; with more than these the cache begins again. */
const CACHED_STEMS = 200_000;
const stems = new Map<string, string>();

/** The term that the forms of a word share. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= CACHED_STEMS) stems.clear();
  const stem = porterStem(word);
  stems.set(word, stem);
  return stem;
}

/**
 * Gives the function that finds the words of a text which may have one of these terms, and others:
 * a word begins as its stem does.
 */
export function wordFinder(terms: readonly string[]): (text: string) => string[] {
  if (terms.length === 0) return () => [];
  const beginnings = [...new Set(terms.map(beginningOf))];
  const ascii = startingWith(beginnings, 'a-z0-9');
  const any = startingWith(beginnings, ANY_WORD);
  return (text) => {
    if (UNSPACED.test(text)) return wordsOf(text);
    const folded = fold(text);
    const words: string[] = folded.match(ASCII.test(folded) ? ascii : any) ?? [];
    return words.filter(isShort);
  };
}

/** Short stems are those of "dying" and the like, which keep the first letter only. */
function beginningOf(term: string): string {
  return [...term].slice(0, term.length > 3 ? 2 : 1).join('');
}

function startingWith(beginnings: readonly string[], letters: string): RegExp {
  return new RegExp(`(?<![${letters}])(?:${beginnings.join('|')})[${letters}]*`, 'gu');
}

function isShort(word: string): boolean {
  return word.length <= LONGEST_WORD;
}

/** Lower case without accents and possessives. */
function fold(text: string): string {
  const plain = text.replace(POSSESSIVE, '');
  if (ASCII.test(plain)) return plain.toLowerCase();
  return plain
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED.get(letter) ?? letter);
}

function segmented(run: string): string[] {
  if (!UNSPACED.test(run)) return [run];
  return Array.from(SEGMENTER.segment(run), ({ segment }) => segment);
}
