/** What the retriever must do on any PostgreSQL. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PostgresClient } from '../../../retrieval/postgres/connect.js';
import {
  type PostgresRetrieverOptions,
  postgresRetriever,
} from '../../../retrieval/postgres/postgres-retriever.js';
import type { Retriever } from '../../../retrieval/retriever.js';
import { retrieverContract } from '../../../testing/retriever-contract.js';
import { holdsTo } from '../../support/contract.js';
import { failureOf, idsOf } from '../contract.js';
import { makeTable, passages } from './helpers.js';

export interface Parts {
  /** Makes tables. */
  client(): PostgresClient;
  /** How the retriever reaches them. */
  target(): { url: string } | { client: PostgresClient };
}

/** Registers the tests. */
export function postgresContract({ client, target }: Parts): void {
  const over = (table: string, options: Partial<PostgresRetrieverOptions> = {}) =>
    postgresRetriever({ ...target(), table, ...options });

  beforeAll(async () => {
    await makeTable(client(), 'animals', passages);
  });

  test.each([
    ['english', []],
    ['simple', ['band']],
  ])('%s decides whether "The Who" asks anything', async (language, expected) => {
    const table = `bands_${language}`;
    await makeTable(client(), table, [
      { id: 'band', title: 'The Who', text: 'The Who are from London.' },
      { id: 'other', title: 'Otter', text: 'Otters swim.' },
    ]);
    const retriever = over(table, { language });
    expect(idsOf(await retriever.search('The Who', 1))).toEqual(expected);
    expect(idsOf(await retriever.search('London', 1))).toEqual(['band']);
  });

  describe.each([
    ['a stored tsvector', { columns: { search: 'words' } }],
    ['title and text', {}],
  ])('by words of %s', (_, options) => {
    let retriever: Retriever;
    beforeAll(() => {
      retriever = over('animals', options);
    });

    test.each<[string, string, string[]]>([
      ['the best match comes first', 'Which heron waits for fish?', ['1', 'a\\b']],
      ['word forms are the same', 'beaver building a dam', ['" OR 1=1 --']],
      ['the title is searched', 'Alcedo', ['a\\b']],
      ['other scripts', '東京', ['東京']],
      ['letters with accents', 'café Ñandú', ['東京']],
      ['quotes mean nothing', '"otter dives"', ["o'brien", 'a\\b']],
      ['operators mean nothing', "+otter -fur & ! (heron) | <-> * : \\ ' `", ["o'brien", '1']],
      ['a backslash means nothing', 'C:\\temp\\x', ['東京']],
      ['compounds are their parts', 'otter-heron', ['1', "o'brien"]],
      ['nothing matches', 'zeppelin', []],
      ['stop words only', 'the of and it is', []],
      ['an empty query', '', []],
      ['blanks', ' \n\t ', []],
      ['punctuation only', '?!"', []],
      ['control characters', '\u0000otter\u0007', ["o'brien"]],
      ['half a surrogate pair', '\ud800 otter', ["o'brien"]],
    ])('%s', async (_, query, expected) => {
      expect(idsOf(await retriever.search(query, 5)).sort()).toEqual([...expected].sort());
      expect(idsOf(await retriever.search(query, 1))).toEqual(expected.slice(0, 1));
    });

    test('a hit has id, title and score, best first, and no text', async () => {
      const hits = await retriever.search('fish water', 1_000_000);
      expect(hits[0]).toMatchObject({ id: '1', title: 'Heron' });
      expect(hits).toHaveLength(3);
      const scores = hits.map((hit) => hit.score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(Object.keys(hits[0] ?? {}).sort()).toEqual(['id', 'score', 'title']);
    });

    holdsTo(retrieverContract({ open: async () => retriever, query: 'fish water' }));

    test('no query fails', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (query) => {
          expect(Array.isArray(await retriever.search(query, 3))).toBe(true);
        }),
        { numRuns: 200 },
      );
      expect(await retriever.search('heron fish water '.repeat(600), 1)).toHaveLength(1);
    });
  });

  describe('by words', () => {
    test('a rare word counts for more than common ones', async () => {
      const common = Array.from({ length: 30 }, (_, n) => ({
        ...{ id: `c${n}`, title: null },
        text: 'The river and the river boat on the river.',
      }));
      const rare = { id: 'rare', title: null, text: 'A narwhal in a very long story of ships.' };
      await makeTable(client(), 'rivers', [...common, rare]);
      const retriever = over('rivers');
      expect(idsOf(await retriever.search('river boat narwhal', 1))).toEqual(['rare']);
      // Equal scores stand in the order of the ids.
      expect(idsOf(await retriever.search('river', 3))).toEqual(['c0', 'c1', 'c10']);
    });

    test('another language has other words', async () => {
      const { rows } = await client().query(
        `SELECT 1 FROM pg_ts_config WHERE cfgname = 'german'`,
        [],
      );
      expect(rows).toHaveLength(1);
      const row = { id: 'd', title: 'Reiher', text: 'Die Reiher fingen Fische.' };
      await makeTable(client(), 'tiere', [row]);
      const german = over('tiere', { language: 'german' });
      expect(idsOf(await german.search('der Fisch', 1))).toEqual(['d']);
      expect(await german.search('die', 1)).toEqual([]);
    });

    test.each([0, -1, 1.5, Number.NaN])('%d passages cannot be asked for', async (k) => {
      expect((await failureOf(over('animals').search('fish', k))).type).toBe('BadInput');
    });
  });

  describe('get', () => {
    test('gives whole passages in the order asked, repeated ones too', async () => {
      const ids = ['東京', "o'brien", '1', '" OR 1=1 --', 'a\\b', '1'];
      const expected = ids.map((id) => {
        const { title, text } = passages.find((passage) => passage.id === id) ?? {};
        return { id, title: title ?? '', text };
      });
      expect(await over('animals').get(ids)).toEqual(expected);
      expect(await over('animals').get([])).toEqual([]);
    });

    test.each(["x' OR '1'='1", "'", '2', '', '{1}', '\u0000', 'x'.repeat(1000)])(
      'of %j, which is not there',
      async (id) => {
        expect(await failureOf(over('animals').get(['1', id]))).toMatchObject({
          type: 'UnknownPassage',
          message: expect.stringContaining(JSON.stringify(id)),
        });
      },
    );

    test('of more ids than one statement holds, which may be numbers', async () => {
      await client().query('CREATE SCHEMA "my corpora"', []);
      await client().query(
        `CREATE TABLE "my corpora"."n" AS
          SELECT n AS "Nr", 'heron ' || n AS body FROM generate_series(1, 2500) n`,
        [],
      );
      const retriever = over('my corpora.n', {
        columns: { id: 'Nr', title: null, text: 'body' },
      });
      const ids = Array.from({ length: 2500 }, (_, n) => `${2500 - n}`);
      expect(idsOf(await retriever.get(ids))).toEqual(ids);
      expect(await retriever.get(['7'])).toEqual([{ id: '7', title: '', text: 'heron 7' }]);
      expect(await retriever.search('1234', 5)).toMatchObject([{ id: '1234', title: '' }]);
      for (const id of ['seven', '99999999999999']) {
        expect((await failureOf(retriever.get([id]))).type).toBe('UnknownPassage');
      }
    });
  });

  describe('what does not fit', () => {
    test.each<[string, string, Partial<PostgresRetrieverOptions>, string]>([
      ['a table', 'missing', {}, 'UnknownCorpus'],
      ['a schema', 'missing.animals', {}, 'UnknownCorpus'],
      ['a column', 'animals', { columns: { text: 'body' } }, 'Incompatible'],
      ['a tsvector', 'animals', { columns: { search: 'title' } }, 'Incompatible'],
      ['a language', 'animals', { language: 'elvish' }, 'Incompatible'],
      ['a mode', 'animals', {}, 'BadInput'],
    ])('%s', async (what, table, options, type) => {
      const mode = what === 'a mode' ? 'dense' : 'bm25';
      const failure = await failureOf(over(table, options).search('heron', 1, mode));
      expect(failure).toMatchObject({ type, retryable: false });
      expect(failure.message).toContain(table);
    });

    test('names are names and nothing else', async () => {
      const table = `animals"; DROP TABLE animals; --`;
      expect((await failureOf(over(table).search('heron', 1))).type).toBe('UnknownCorpus');
      const language = `english'); DROP TABLE animals; --`;
      await failureOf(over('animals', { language }).search('heron', 1));
      expect(await over('animals').search('heron', 1)).toHaveLength(1);
    });
  });

  test('a caller who goes away is not kept', async () => {
    const stopped = AbortSignal.abort(new Error('cancelled'));
    const search = over('animals').search('heron', 1, 'bm25', stopped);
    await expect(search).rejects.toThrow('cancelled');
  });
}
