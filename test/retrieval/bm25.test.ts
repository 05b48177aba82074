/** BM25 and the terms it counts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bm25,
  bm25Scores,
  countTerms,
  queryTermCounter,
  queryTerms,
} from '../../retrieval/bm25.js';
import { queryWords, wordsOf } from '../../retrieval/terms.js';

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
