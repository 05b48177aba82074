import type { Pool } from 'pg';

/**
 * The part of a PostgreSQL client that a retriever uses: a `Pool` or `Client` of pg, or a PGlite.
 */
export interface PostgresClient {
  query(statement: string, parameters: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Number of candidates of an HNSW search (hnsw.ef_search); pgvector's default finds at most 40. */
const CANDIDATES = 200;

/**
 * Returns a pool of at most ten connections to a server. It loads pg and connects at the first
 * statement.
 *
 * @param timeoutMs Timeout of a statement, in milliseconds.
 * @param hasVectors Whether vectors are searched, so that connections are set up for it.
 */
export function lazyPool(url: URL, timeoutMs: number, hasVectors: boolean) {
  let pool: Promise<Pool> | undefined;

  async function open(): Promise<Pool> {
    const { default: pg } = await import('pg');
    const opened = new pg.Pool({
      connectionString: url.href,
      max: 10,
      connectionTimeoutMillis: Math.min(timeoutMs, 15_000),
      query_timeout: timeoutMs,
      // Idle connections keep no program from ending.
      allowExitOnIdle: true,
      async onConnect(client) {
        // Set in the session, because servers in between would refuse it at the start.
        await client.query(`SET statement_timeout = ${Math.ceil(timeoutMs)}`);
        if (hasVectors) await client.query(`SET hnsw.ef_search = ${CANDIDATES}`);
      },
    });
    // The next query replaces a broken idle connection; unhandled, its error would end the process.
    opened.on('error', () => {});
    return opened;
  }

  return {
    async query(statement: string, parameters: unknown[]) {
      pool ??= open();
      return (await pool).query(statement, parameters);
    },
    async close(): Promise<void> {
      await (await pool)?.end();
      pool = undefined;
    },
  };
}
