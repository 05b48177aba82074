/** The terms of texts, how they are counted, and scores by BM25 and TF-IDF. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  bm25,
  bm25Scores,
  countTerms,
  queryTermCounter,
  queryTerms,
} from '../../retrieval/bm25.js';
import { readTermStatistics, TermCounter } from '../../retrieval/lancedb/term-statistics.js';
import { queryWords, wordsOf } from '../../retrieval/terms.js';
import { tfIdfScores } from '../../retrieval/tf-idf.js';
import { temporaryFolder } from '../support/folder.js';

describe('words', () => {
  test.each<[string, string[]]>([
    ["Bell's telephone, Bell’s patent", ['bell', 'telephone', 'bell', 'patent']],
    ['Ærø café ÑANDÚ straße Łódź', ['aero', 'cafe', 'nandu', 'strasse', 'lodz']],
    ['Ναός 42nd snake_case', ['ναος', '42nd', 'snake', 'case']],
    ['?!" ', []],
    ['x'.repeat(41), []],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('scripts without spaces are cut into words', () => {
    expect(wordsOf('電話は機械である')).toContain('電話');
  });

  test('a question of nothing but stop words is searched by all of them', () => {
    expect(queryWords('To be, or not to be')).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
  });
});

describe('BM25', () => {
  test('is what the formula gives, with k1 = 0.9 and b = 0.4', () => {
    const texts = ['heron heron waits', 'heron', 'the otter'];
    // Lengths 3, 1, 1: 5/3 on average. "heron" is in two texts of three.
    const idf = Math.log(1 + 1.5 / 2.5);
    const saturation = (length: number) => 0.9 * (1 - 0.4 + (0.4 * length) / (5 / 3));
    const [first, second, third] = bm25Scores('Herons', texts);
    expect(first).toBeCloseTo((idf * 2) / (2 + saturation(3)), 12);
    expect(second).toBeCloseTo(idf / (1 + saturation(1)), 12);
    expect(third).toBe(0);
  });

  test('a word that the question repeats counts as often', () => {
    const [once = 0] = bm25Scores('heron', ['heron', 'otter']);
    expect(bm25Scores('heron heron', ['heron', 'otter'])[0]).toBeCloseTo(2 * once, 12);
  });

  test('no texts, no terms', () => {
    expect(bm25Scores('heron', [])).toEqual([]);
    expect(bm25Scores('?', ['heron', ''])).toEqual([0, 0]);
    expect(bm25Scores('heron', ['', ''])).toEqual([0, 0]);
  });

  test('scores never fall below 0, however wrong the statistics are', () => {
    const statistics = { texts: 3, averageLength: 5, textsWith: () => 7 };
    const score = bm25(queryTerms('heron'), statistics);
    expect(score(countTerms('heron'))).toBeGreaterThan(0);
  });
});

test('a query finds its own terms in a text as counting all of them does', () => {
  const word = fc.oneof(
    fc.constantFrom(...'dying died lie lying skies sky news the who'.split(' '), "Bell's"),
    fc.constantFrom('relational', 'hoping', 'Ærø', 'café', 'Łódź', '東京', '電話は機械である'),
    fc.string({ unit: fc.constantFrom(...'abdeginstuy'), minLength: 1, maxLength: 8 }),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  const texts = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(texts, texts, (query, text) => {
      const terms = queryTerms(query);
      const all = countTerms(text).counts;
      const expected = [...all].filter(([term]) => terms.has(term));
      expect([...queryTermCounter(terms)(text)].sort()).toEqual(expected.sort());
    }),
    { numRuns: 300 },
  );
});

test('20,000 hostile characters take no time', () => {
  const count = queryTermCounter(queryTerms('aaaa bell'));
  for (const hostile of ['a', "'s", 'é', 'aé ', '東', "a's "]) {
    count(hostile.repeat(20_000));
    countTerms(hostile.repeat(20_000));
  }
});

test('counts passages, lengths, and passages with a term', async () => {
  const folder = await temporaryFolder();
  const terms = new TermCounter();
  expect(terms.add('The heron waits, and the heron dives.')).toBe(4);
  expect(terms.add('Herons')).toBe(1);
  await terms.write(folder);
  const statistics = await readTermStatistics(folder);
  expect(statistics).toMatchObject({ texts: 2, averageLength: 2.5 });
  expect(['heron', 'wait', 'the', 'otter'].map((term) => statistics?.textsWith(term))).toEqual([
    2, 1, 1, 0,
  ]);
});

test('few of many terms are counted too high, and none too low', async () => {
  const folder = await temporaryFolder();
  const terms = new TermCounter();
  for (let n = 0; n < 30_000; n++) terms.add(`common w${n} w${n % 100}x`);
  await terms.write(folder);
  const statistics = await readTermStatistics(folder);
  const found = Array.from({ length: 30_000 }, (_, n) => statistics.textsWith(`w${n}`));
  expect(Math.min(...found)).toBe(1);
  expect(found.filter((count) => count > 1).length).toBeLessThan(1500);
  expect(statistics.textsWith('common')).toBe(30_000);
});

test('an empty corpus', async () => {
  const folder = await temporaryFolder();
  await new TermCounter().write(folder);
  expect(await readTermStatistics(folder)).toMatchObject({ texts: 0, averageLength: 0 });
});

it('is the cosine of TF-IDF vectors, by hand', () => {
  // Two documents. "bell" is in one (idf ln(3/2) + 1 = 1.405), "patent" in both (idf 1).
  const [first, second] = tfIdfScores('bell patent', ['bell patent', 'patent']);
  expect(first).toBeCloseTo(1);
  expect(second).toBeCloseTo(1 / Math.hypot(1.405465, 1), 5);
});

it('counts words, not substrings, in any letter case and any language', () => {
  expect(tfIdfScores('bell', ['bellow', 'The BELL rang.', ''])).toEqual([
    0,
    expect.closeTo(0.5, 0),
    0,
  ]);
  const [tokyo = 0, kyoto = 0] = tfIdfScores('日本の首都はどこですか', [
    '日本の首都は東京です',
    '京都は古い',
  ]);
  expect(tokyo).toBeGreaterThan(kyoto);
});

it('has nothing to say without words or texts', () => {
  expect(tfIdfScores('?', ['a', 'b'])).toEqual([0, 0]);
  expect(tfIdfScores('bell', [])).toEqual([]);
});

it('stays within 0 and 1 and does not depend on the order of the texts', () => {
  const texts = fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.lorem({ maxCount: 5 }), texts, (query, given) => {
      const scores = tfIdfScores(query, given);
      expect(scores.every((score) => score >= 0 && score <= 1 + 1e-9)).toBe(true);
      const turned = tfIdfScores(query, [...given].reverse()).reverse();
      for (const [i, score] of scores.entries()) expect(turned[i]).toBeCloseTo(score, 9);
    }),
  );
});
