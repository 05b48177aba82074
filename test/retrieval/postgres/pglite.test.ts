/** The PostgreSQL retriever on PGlite, which has pgvector. */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PostgresRetrieverOptions,
  postgresRetriever,
} from '../../../retrieval/postgres/postgres-retriever.js';
import { retrieverContract } from '../../../testing/retriever-contract.js';
import { never } from '../../support/completion.js';
import { holdsTo } from '../../support/contract.js';
import { failureOf } from '../../support/failure-of.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { MEANINGS, MEANT, QUERIES, searchesByMeaning } from '../contract.js';
import { idsOf } from '../helpers.js';
import { makeTable, passages } from './helpers.js';

const database = new PGlite({ extensions: { vector } });
beforeAll(async () => {
  await database.exec('CREATE EXTENSION vector');
  await makeTable(database, 'animals', passages);
});
afterAll(() => database.close());

const over = (table: string, options: Partial<PostgresRetrieverOptions> = {}) =>
  postgresRetriever({ client: database, table, ...options });

test.each([
  ['english', []],
  ['simple', ['band']],
])('%s decides whether "The Who" asks anything', async (language, expected) => {
  const table = `bands_${language}`;
  await makeTable(database, table, [
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
  const retriever = over('animals', options);

  test.each<[string, string, string[]]>([
    ...QUERIES,
    ['operators mean nothing', "+otter -fur & ! (heron) | <-> * : \\ ' `", ["o'brien", '1']],
    ['a backslash means nothing', 'C:\\temp\\x', ['東京']],
    ['compounds are their parts', 'otter-heron', ['1', "o'brien"]],
    ['stop words only', 'the of and it is', []],
  ])('%s', async (_, query, expected) => {
    expect(idsOf(await retriever.search(query, 5)).sort()).toEqual([...expected].sort());
    expect(idsOf(await retriever.search(query, 1))).toEqual(expected.slice(0, 1));
  });

  holdsTo(retrieverContract({ open: async () => retriever, query: 'fish water' }));
});

describe('by words', () => {
  test('a rare word counts for more than common ones', async () => {
    const common = Array.from({ length: 30 }, (_, n) => ({
      id: `c${n}`,
      title: null,
      text: 'The river and the river boat on the river.',
    }));
    const rare = { id: 'rare', title: null, text: 'A narwhal in a very long story of ships.' };
    await makeTable(database, 'rivers', [...common, rare]);
    const retriever = over('rivers');
    expect(idsOf(await retriever.search('river boat narwhal', 1))).toEqual(['rare']);
    // Equal scores stand in the order of the ids.
    expect(idsOf(await retriever.search('river', 3))).toEqual(['c0', 'c1', 'c10']);
  });

  test('another language has other words', async () => {
    const row = { id: 'd', title: 'Reiher', text: 'Die Reiher fingen Fische.' };
    await makeTable(database, 'tiere', [row]);
    const german = over('tiere', { language: 'german' });
    expect(idsOf(await german.search('der Fisch', 1))).toEqual(['d']);
    expect(await german.search('die', 1)).toEqual([]);
  });
});

describe('get', () => {
  test.each(["x' OR '1'='1", '', '{1}', '\u0000'])('of %j, which is not there', async (id) => {
    expect(await failureOf(over('animals').get(['1', id]))).toMatchObject({
      type: 'UnknownPassage',
      message: expect.stringContaining(JSON.stringify(id)),
    });
  });

  test('of more ids than one statement holds, which may be numbers', async () => {
    await database.query('CREATE SCHEMA "my corpora"', []);
    await database.query(
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

describe('a table with vectors', () => {
  const embeddings = fakeEmbeddings({ meanings: MEANINGS });
  const table = 'meant';
  const columns = { search: 'words', vector: 'vector' };
  const retriever = over(table, { columns, embeddings });

  beforeAll(async () => {
    const texts = MEANT.map(({ title, text }) => `${title}\n${text}`);
    const { vectors } = await embeddings.embed(texts, never());
    const rows = MEANT.map((passage, n) => ({ ...passage, vector: vectors[n] ?? [] }));
    await makeTable(database, table, rows);
  });

  holdsTo(
    retrieverContract({
      open: async () => retriever,
      query: 'a doctor, a car and a river',
      modes: ['bm25', 'dense', 'hybrid'],
    }),
  );

  test('is searched by meaning, equal scores in the order of the ids', () =>
    searchesByMeaning(retriever));

  test('leaves out rows without a vector', async () => {
    await database.query(`INSERT INTO meant (id, title, text) VALUES ('none', '', 'A car.')`);
    expect(idsOf(await retriever.search('car', 100, 'dense'))).not.toContain('none');
    await database.query(`DELETE FROM meant WHERE id = 'none'`);
  });

  test('is refused with vectors of other dimensions', async () => {
    const other = over(table, { columns, embeddings: fakeEmbeddings({ dimensions: 8 }) });
    expect(await failureOf(other.search('car', 1, 'dense'))).toMatchObject({
      type: 'BadInput',
      retryable: false,
      message: expect.stringMatching(/vectors of another model.*\b(64|8)\b.*\b(64|8)\b/),
    });
  });
});
