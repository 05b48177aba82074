/** The connection of a PostgreSQL retriever: made when the first search needs it. */
import type { Pool } from 'pg';

/** What of a client is used: a `Pool` or `Client` of pg fits, and a PGlite. */
export interface PostgresClient {
  query(statement: string, parameters: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Candidates that a search of an HNSW index looks at; pgvector's default finds no more than 40. */
const CANDIDATES = 200;

export interface LazyPool extends PostgresClient {
  close(): Promise<void>;
}

/** Returns a pool of connections to a server; pg is loaded when the first statement needs it. */
export function lazyPool(url: URL, timeoutMs: number, hasVectors: boolean): LazyPool {
  let pool: Promise<Pool> | undefined;

  async function open(): Promise<Pool> {
    const { default: pg } = await import('pg');
    const opened = new pg.Pool({
      connectionString: url.href,
      max: 10,
      connectionTimeoutMillis: Math.min(timeoutMs, 15_000),
      query_timeout: timeoutMs,
      // A program that is done is not kept by connections that nobody needs.
      allowExitOnIdle: true,
      async onConnect(client) {
        // Of the session and not of its start, which servers in between would refuse.
        await client.query(`SET statement_timeout = ${Math.ceil(timeoutMs)}`);
        if (hasVectors) await client.query(`SET hnsw.ef_search = ${CANDIDATES}`);
      },
    });
    // An idle connection that breaks is replaced at the next query; unheard, it would end the process.
    opened.on('error', () => {});
    return opened;
  }

  return {
    async query(statement, parameters) {
      pool ??= open();
      return (await pool).query(statement, parameters);
    },
    async close() {
      await (await pool)?.end();
      pool = undefined;
    },
  };
}
