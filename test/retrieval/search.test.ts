/** Search and lookup on a real index. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Retriever } from '../../retrieval/retriever.js';
import { animals, retrieverOver } from './helpers.js';

const passages = [
  { id: '1', title: 'Heron', text: 'A heron stands in the water and waits for fish.' },
  { id: "o'brien", title: 'Otter', text: "The otter's fur keeps the cold water out." },
  { id: 'a\\b', title: 'Kingfisher "Alcedo"', text: 'A kingfisher dives for small fish.' },
  { id: '" OR 1=1 --', title: '', text: 'Beavers build dams of wood.\nThey fell trees.' },
  { id: '東京', title: '東京', text: 'Ναός café Ñandú 東京 Ærø' },
];

describe('a small corpus', () => {
  let retriever: Retriever;
  beforeAll(async () => {
    retriever = await retrieverOver(passages);
  });

  test.each<[string, string, string[]]>([
    ['the best match comes first', 'Which heron waits for fish?', ['1', 'a\\b']],
    ['word forms are the same', 'beaver building a dam', ['" OR 1=1 --']],
    ['the title is searched', 'Alcedo', ['a\\b']],
    ['accents do not matter', 'cafe nandu', ['東京']],
    ['other scripts', '東京', ['東京']],
    ['quotes mean nothing', '"otter dives"', ["o'brien", 'a\\b']],
    ['operators mean nothing', "+otter -fur AND NOT (heron) OR * ~ ? : \\ ' `", ["o'brien", '1']],
    ['nothing matches', 'zeppelin', []],
    ['stop words only', 'the of and what is it', []],
    ['an empty query', '', []],
    ['blanks', ' \n\t ', []],
    ['punctuation only', '?!"', []],
    ['control characters', '\u0000otter\u0007', ["o'brien"]],
    ['half a surrogate pair', '\ud800 otter', ["o'brien"]],
  ])('%s', async (_, query, expected) => {
    const hits = await retriever.search(query, 5);
    expect(hits.map((hit) => hit.id)).toEqual(expected);
  });

  test('a hit has id, title and score, best first, and no text', async () => {
    const hits = await retriever.search('fish water', 5);
    expect(hits.map(({ id, title }) => ({ id, title }))).toEqual([
      { id: '1', title: 'Heron' },
      { id: "o'brien", title: 'Otter' },
      { id: 'a\\b', title: 'Kingfisher "Alcedo"' },
    ]);
    const scores = hits.map((hit) => hit.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Object.keys(hits[0] ?? {}).sort()).toEqual(['id', 'score', 'title']);
  });

  test('a query of 10,000 characters', async () => {
    const query = 'heron fish water '.repeat(600).slice(0, 10_000);
    expect((await retriever.search(query, 1)).map((hit) => hit.id)).toEqual(['1']);
  });

  test('more passages than there are', async () => {
    expect(await retriever.search('fish', 1_000_000)).toHaveLength(2);
  });

  test.each([0, -1, 1.5, Number.NaN])('%d passages cannot be asked for', async (k) => {
    await expect(retriever.search('fish', k)).rejects.toMatchObject({ type: 'BadInput' });
  });

  test('get gives whole passages in the order asked, repeated ones too', async () => {
    const ids = ['東京', "o'brien", '1', '" OR 1=1 --', 'a\\b', '1'];
    const expected = ids.map((id) => passages.find((passage) => passage.id === id));
    expect(await retriever.get(ids)).toEqual(expected);
  });

  test('get of nothing', async () => {
    expect(await retriever.get([])).toEqual([]);
  });

  test.each(["x' OR '1'='1", "'", '2', ''])('get of %j, which is not there', async (id) => {
    await expect(retriever.get(['1', id])).rejects.toMatchObject({
      type: 'UnknownPassage',
      message: expect.stringContaining(`Corpus test has no passage with id ${JSON.stringify(id)}`),
    });
  });

  test('no query fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (query) => {
        expect(Array.isArray(await retriever.search(query, 3))).toBe(true);
      }),
    );
  });
});

test('equal scores stand in corpus order at every k', async () => {
  const same = Array.from({ length: 300 }, (_, n) => ({ id: `id ${n}`, text: 'same heron text' }));
  const retriever = await retrieverOver(same);
  for (const k of [1, 7, 10, 299, 300, 301]) {
    const hits = await retriever.search('heron', k);
    expect(hits.map((hit) => hit.id)).toEqual(same.slice(0, k).map((passage) => passage.id));
  }
});

test('get of more ids than one filter holds', async () => {
  const many = animals(1000);
  const retriever = await retrieverOver(many);
  const ids = many.map((passage) => passage.id).reverse();
  expect((await retriever.get(ids)).map((passage) => passage.id)).toEqual(ids);
});

test('any id, title and text comes back as it was', async () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
  const corpus = fc.uniqueArray(
    fc.record({
      id: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      title: anyText,
      text: anyText.map((text) => `x ${text}`),
    }),
    { selector: (passage) => passage.id, minLength: 1, maxLength: 200 },
  );
  await fc.assert(
    fc.asyncProperty(corpus, async (records) => {
      const retriever = await retrieverOver(records);
      expect(await retriever.get(records.map((record) => record.id))).toEqual(records);
    }),
    { numRuns: 5 },
  );
});
