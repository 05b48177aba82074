/** The PostgreSQL retriever on PGlite, which has pgvector. */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresRetriever } from '../../../retrieval/postgres/postgres-retriever.js';
import { retrieverContract } from '../../../testing/retriever-contract.js';
import { holdsTo } from '../../support/contract.js';
import { failureOf } from '../../support/failure-of.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { idsOf } from '../helpers.js';
import { postgresContract } from './contract.js';
import { makeTable } from './helpers.js';

const database = new PGlite({ extensions: { vector } });
beforeAll(async () => {
  await database.exec('CREATE EXTENSION vector');
});
afterAll(() => database.close());

postgresContract({ client: () => database, target: () => ({ client: database }) });

describe('a table with vectors', () => {
  const embeddings = fakeEmbeddings({
    dimensions: 32,
    meanings: { physician: 'doctor', medic: 'doctor', automobile: 'car' },
  });
  const texts = [
    ['medic', 'A medic heals.'],
    ['doctor', 'A doctor helps.'],
    ['car', 'A car drives.'],
    ['car-again', 'A car drives.'],
    ['river', 'A river flows.'],
  ] as const;
  const table = 'meant';
  const columns = { search: 'words', vector: 'vector' };
  const retriever = postgresRetriever({ client: database, table, columns, embeddings });

  beforeAll(async () => {
    const signal = new AbortController().signal;
    const { vectors } = await embeddings.embed(
      texts.map(([id, text]) => `${id}\n${text}`),
      signal,
    );
    const rows = texts.map(([id, text], n) => ({ id, title: id, text, vector: vectors[n] ?? [] }));
    await makeTable(database, table, rows);
  });

  holdsTo(
    retrieverContract({
      open: async () => retriever,
      query: 'a doctor, a car and a river',
      modes: ['bm25', 'dense', 'hybrid'],
    }),
  );

  test('is searched by meaning, equal scores in the order of the ids', async () => {
    const found = await retriever.search('automobile', 2, 'dense');
    expect(idsOf(found)).toEqual(['car', 'car-again']);
    const [first, second] = await retriever.search('physician', 5, 'dense');
    expect([first?.id, second?.id].sort()).toEqual(['doctor', 'medic']);
    expect(first?.score).toBeGreaterThan(0.4);
    expect(first?.score).toBeLessThanOrEqual(1);
    expect(Object.keys(first ?? {}).sort()).toEqual(['id', 'score', 'title']);
  });

  test('leaves out rows without a vector', async () => {
    await database.query(`INSERT INTO meant (id, title, text) VALUES ('none', '', 'A car.')`);
    expect(idsOf(await retriever.search('car', 100, 'dense'))).not.toContain('none');
    await database.query(`DELETE FROM meant WHERE id = 'none'`);
  });

  test('is refused with vectors of other dimensions', async () => {
    const other = postgresRetriever({
      ...{ client: database, table, columns },
      embeddings: fakeEmbeddings({ dimensions: 8 }),
    });
    expect(await failureOf(other.search('car', 1, 'dense'))).toMatchObject({
      ...{ type: 'BadInput', retryable: false },
      message: expect.stringMatching(/vectors of another model.*\b(32|8)\b.*\b(32|8)\b/),
    });
  });
});
