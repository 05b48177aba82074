/** The passages of a question, ranked by what is asked. */
import { describe, expect, test } from 'vitest';
import type { SearchMode } from '../../core/vocabulary.js';
import { rankSupplied } from '../../retrieval/rank-supplied.js';
import { passageStore } from '../../retrieval/supplied-passages.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { memoryStore } from './helpers.js';

const texts = {
  bell: 'Bell was granted the patent of the telephone.',
  gray: 'Gray filed a caveat on the same day.',
  meucci: 'Meucci had no money for a patent.',
  car: 'A car drives.',
};
const given = Object.entries(texts).map(([title, text]) => ({ title, text }));
const never = new AbortController().signal;

/** Titles of what is found. */
async function found(query: string, count: number, mode?: SearchMode, passages = given) {
  const store = passageStore(memoryStore());
  const refs = await store.put(passages);
  const embeddings = fakeEmbeddings({ meanings: { automobile: 'car' } });
  const ranked = await rankSupplied(refs, { query, count, mode }, store, embeddings, never);
  return { titles: ranked.map(({ title }) => title), ranked, requests: embeddings.requests };
}

test('without a mode the order stays as it was given, and no text is read', async () => {
  expect((await found('caveat', 2)).titles).toEqual(['bell', 'gray']);
  expect((await found('', 9)).titles).toEqual(Object.keys(texts));
});

describe('by words', () => {
  test('each query has an order of its own; what says nothing of it comes last, as given', async () => {
    expect((await found('Who filed a caveat?', 4, 'bm25')).titles).toEqual([
      'gray',
      'bell',
      'meucci',
      'car',
    ]);
    expect((await found('Who had money for patents?', 4, 'bm25')).titles).toEqual([
      'meucci',
      'bell',
      'gray',
      'car',
    ]);
  });

  test('nothing is embedded, and scores are those of BM25', async () => {
    const { ranked, requests } = await found('caveat', 2, 'bm25');
    expect(requests).toEqual([]);
    expect(ranked[0]?.score).toBeGreaterThan(0);
    expect(ranked[1]?.score).toBe(0);
  });

  test('the own id and score stay beside the score of the search', async () => {
    const own = given.map((one, i) => ({ ...one, id: `n${i}`, score: 9 - i }));
    const { ranked } = await found('caveat', 1, 'bm25', own);
    expect(ranked).toMatchObject([{ title: 'gray', own: { id: 'n1', score: 8 } }]);
    expect(ranked[0]?.score).not.toBe(8);
    expect((await found('caveat', 2, undefined, own)).ranked).toMatchObject([
      { score: 9 },
      { score: 8 },
    ]);
  });

  test.each(['', ' \n', '?!'])('a query without words (%j) keeps the order', async (query) => {
    expect((await found(query, 3, 'bm25')).titles).toEqual(['bell', 'gray', 'meucci']);
  });
});

test('by both: a passage that has no word of the query has no rank by words', async () => {
  const { titles, ranked } = await found('automobile caveat', 4, 'hybrid');
  expect(titles[0]).toBe('gray');
  expect(ranked).toHaveLength(4);
  expect(ranked[0]?.score).toBeCloseTo(1 / 61 + 1 / 61, 2);
});
