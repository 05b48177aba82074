/** The PostgreSQL retriever on a real server. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresRetriever } from '../../../retrieval/postgres/postgres-retriever.js';
import { freePort } from '../../../temporal-dev/tcp-ports.js';
import { retrieverContract } from '../../../testing/retriever-contract.js';
import { findPostgres, PASSWORD, startPostgres, type TestServer } from '../../stores/servers.js';
import { holdsTo } from '../../support/contract.js';
import { failureOf } from '../../support/failure-of.js';
import { fakeEmbeddings } from '../../support/fake-embeddings.js';
import { GET, isHere } from '../../support/is-here.js';
import { makeTable, passages } from './helpers.js';

const found = findPostgres();
if (isHere(found, GET.postgres)) {
  let server: TestServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(found);
    pool = new pg.Pool({ connectionString: server.url });
    pool.on('error', () => {});
    await makeTable(pool, 'animals', passages);
  });
  afterAll(async () => {
    await pool?.end();
    await server?.remove();
  });

  const open = (url = server.url, more: object = {}) => {
    const retriever = postgresRetriever({ url, table: 'animals', ...more });
    onTestFinished(() => retriever.close());
    return retriever;
  };

  holdsTo(retrieverContract({ open: async () => open(), query: 'fish water' }));

  describe('a server', () => {
    test('that goes away fails searches, and is found when it comes back', async () => {
      const retriever = open();
      expect(await retriever.search('heron', 1)).toHaveLength(1);
      await server.kill();
      for (const attempt of [() => retriever.search('heron', 1), () => retriever.get(['1'])]) {
        const failure = await failureOf(attempt());
        expect(failure).toMatchObject({ type: 'Connection', retryable: true });
        expect(failure.message).toContain(`127.0.0.1:${server.port}`);
      }
      await server.start();
      await expect.poll(() => retriever.search('heron', 1).catch(() => [])).toHaveLength(1);
    });

    test('that is not there is named, without the password', async () => {
      const host = `127.0.0.1:${await freePort()}`;
      const failure = await failureOf(
        open(`postgres://me:${PASSWORD}@${host}/corpora`).search('heron', 1),
      );
      expect(failure).toMatchObject({ type: 'Connection', retryable: true });
      expect(failure.message).toContain(`postgres://${host}/corpora`);
      expect(failure.message).toContain('ECONNREFUSED');
      expect(`${failure.message} ${failure.stack} ${failure.cause}`).not.toContain(PASSWORD);
    });

    test.each<[string, (url: string) => string, string]>([
      ['a wrong password', (url) => url.replace(PASSWORD, 'wrong-password'), 'Authentication'],
      ['an unknown database', (url) => url.replace(/postgres$/, 'nowhere'), 'UnknownCorpus'],
    ])('refuses %s', async (_, change, type) => {
      const failure = await failureOf(open(change(server.url)).search('heron', 1));
      expect(failure).toMatchObject({ type, retryable: false });
      expect(`${failure.message} ${failure.cause}`).not.toMatch(/wrong-password|hunter22/);
    });

    test('that is too slow is given up, and gives up itself', async () => {
      await pool.query('CREATE VIEW slow AS SELECT a.* FROM animals a, pg_sleep(20)');
      const failure = await failureOf(
        open(server.url, { table: 'slow', timeoutMs: 500 }).get(['1']),
      );
      expect(failure).toMatchObject({ type: 'Timeout', retryable: true });
      const running = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%"slow"%'
        AND pid <> pg_backend_pid()`;
      await expect.poll(async () => (await pool.query(running)).rows).toEqual([]);
    });

    test('whose connection the caller leaves goes on with other searches', async () => {
      const retriever = open();
      const controller = new AbortController();
      const searching = retriever.search('heron', 1, 'bm25', controller.signal);
      controller.abort(new Error('cancelled'));
      await expect(searching).rejects.toThrow('cancelled');
      expect(await retriever.search('heron', 1)).toHaveLength(1);
    });

    test('without pgvector says so', async () => {
      const columns = { vector: 'words' };
      const failure = await failureOf(
        open(server.url, { columns, embeddings: fakeEmbeddings() }).search('heron', 1, 'dense'),
      );
      expect(failure).toMatchObject({ type: 'Incompatible', retryable: false });
      expect(failure.message).toContain('CREATE EXTENSION vector');
    });

    test.each(['', 'animals', 'http://host/'])('is not at the url %j', (url) => {
      expect(() => postgresRetriever({ url, table: 'animals' })).toThrow('cannot be read');
    });
  });
}
