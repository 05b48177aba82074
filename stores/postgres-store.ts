/**
 * A store in a Postgres table.
 *
 * On `pg` itself and not on Keyv's adapter of it: that one ends the process when the server drops an
 * idle connection, and closes the connections of every other store when one is closed.
 */
import pg from 'pg';
import { shownUrl, storeFailure } from './failures.js';
import type { KeyValueStore } from './key-value-store.js';

const TABLE = 'durable_rag_store';

const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE}
  (namespace text, key text, value text NOT NULL, PRIMARY KEY (namespace, key))`;
const SELECT = `SELECT value FROM ${TABLE} WHERE namespace = $1 AND key = $2`;
const UPSERT = `INSERT INTO ${TABLE} (namespace, key, value) VALUES ($1, $2, $3)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value`;

/**
 * Connects to a Postgres server and makes the table `durable_rag_store` if it is not there.
 *
 * @throws Failure Connection when the server cannot be reached, refuses the user or the table.
 */
export async function openPostgresStore(url: URL, namespace: string): Promise<KeyValueStore> {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 10,
    connectionTimeoutMillis: 15_000,
    query_timeout: 15_000,
  });
  // An idle connection that breaks is replaced at the next query; unheard, it would end the process.
  pool.on('error', () => {});

  async function query(what: string, sql: string, values: string[] = []) {
    try {
      return (await pool.query(sql, values)).rows;
    } catch (error) {
      throw storeFailure('Connection', `The store at ${shownUrl(url)} ${what}`, error);
    }
  }

  try {
    // Looked up first: making a table needs a right that reading and writing it do not.
    const found = await query('cannot be reached', `SELECT to_regclass('${TABLE}') AS found`);
    if (!found[0]?.found) await createTable(query);
  } catch (failure) {
    await pool.end();
    throw failure;
  }
  return {
    async get(key) {
      const [row] = await query('could not be read', SELECT, [namespace, key]);
      return typeof row?.value === 'string' ? row.value : undefined;
    },
    async set(key, value) {
      await query('could not be written', UPSERT, [namespace, key, value]);
    },
    close: () => pool.end(),
  };
}

/** Two workers that start together can both find no table; "if not exists" then still collides. */
async function createTable(query: (what: string, sql: string) => Promise<unknown>): Promise<void> {
  const what = `did not let us make the table ${TABLE}`;
  await query(what, CREATE).catch(() => query(what, CREATE));
}
