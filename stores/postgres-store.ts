/** A store in a Postgres table. */
import type { KeyValueStore } from './key-value-store.js';
import { connectPostgres } from './postgres-connection.js';

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
  const { pool, answered, close } = await connectPostgres(url, TABLE, CREATE);
  return {
    async get(key) {
      const reading = pool.query(SELECT, [namespace, key]);
      const [row] = (await answered('could not be read', reading)).rows;
      return typeof row?.value === 'string' ? row.value : undefined;
    },
    async set(key, value) {
      await answered('could not be written', pool.query(UPSERT, [namespace, key, value]));
    },
    close,
  };
}
