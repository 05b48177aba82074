/**
 * A store in a table of a Postgres server.
 *
 * Uses `pg` itself instead of Keyv's adapter: the adapter ends the process if the server drops an
 * idle connection, and closing one store closes the connections of all others.
 */
import pg from 'pg';
import { z } from 'zod';
import type { KeyValueStore } from './key-value-store.js';
import { asStoreFailure, replacedStoreFailure, shownUrl } from './store-failure.js';
import { storeId } from './store-id.js';

const TABLE = 'durable_rag_store';

const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE}
  (namespace text, key text, value text NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (namespace, key))`;
const SELECT = `SELECT value FROM ${TABLE} WHERE namespace = $1 AND key = $2`;
/** Namespace and key of the store's id, shared by all namespaces; no namespace begins with "@". */
const ID = ['@store', 'id'] as const;
const INSERT_ID = `INSERT INTO ${TABLE} (namespace, key, value) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING`;
/**
 * Condition of every change: the store has the same id, so nothing is written into an emptied
 * table.
 */
const IS_SAME = `EXISTS (SELECT FROM ${TABLE}
  WHERE namespace = '${ID[0]}' AND key = '${ID[1]}' AND value = $3)`;
const INSERT = `INSERT INTO ${TABLE} (namespace, key, value)
  SELECT $1, $2, $4 WHERE ${IS_SAME} ON CONFLICT (namespace, key)`;
const UPSERT = `${INSERT} DO UPDATE SET value = excluded.value, written_at = now()`;
const INSERT_ABSENT = `${INSERT} DO NOTHING`;
const UPDATE = `UPDATE ${TABLE} SET value = $5, written_at = now()
  WHERE namespace = $1 AND key = $2 AND value = $4 AND ${IS_SAME}`;
const DELETE = `DELETE FROM ${TABLE} WHERE namespace = $1 AND key = $2 AND ${IS_SAME}`;
const changing = (statement: string) => `WITH changed AS (${statement} RETURNING 1)
  SELECT ${IS_SAME} AS same, EXISTS (SELECT FROM changed) AS changed`;
/** Entries on a page; each page continues after the last key of the one before. */
const PAGE = 500;
const LIST = `SELECT key, octet_length(value) AS bytes,
    floor(extract(epoch FROM written_at) * 1000)::float8 AS "writtenAt"
  FROM ${TABLE}
  WHERE namespace = $1 AND left(key, length($2)) = $2 AND ($3::text IS NULL OR key > $3)
  ORDER BY key LIMIT ${PAGE}`;

const listed = z.array(z.object({ key: z.string(), bytes: z.number(), writtenAt: z.number() }));

/**
 * Opens a key-value store on a Postgres server, in the table `durable_rag_store`, which is created
 * if it does not exist.
 *
 * @throws Failure Connection if the server cannot be reached or refuses the user or the table.
 */
export async function openPostgresStore(url: URL, namespace: string): Promise<KeyValueStore> {
  const { pool, answered, close } = await connect(url);
  const readId = storeId({
    get: async () => (await pool.query(SELECT, [...ID])).rows[0]?.value,
    setIfAbsent: async (_, made) => (await pool.query(INSERT_ID, [...ID, made])).rowCount === 1,
  });
  const id = await answered('cannot be opened', readId).catch(async (failure: unknown) => {
    await close();
    throw failure;
  });
  async function write(statement: string, key: string, ...values: string[]): Promise<boolean> {
    const writing = pool.query(changing(statement), [namespace, key, id, ...values]);
    const [row] = (await answered('could not be written', writing)).rows;
    if (!row?.same) throw replacedStoreFailure(shownUrl(url));
    return row.changed;
  }
  return {
    async get(key) {
      const reading = pool.query(SELECT, [namespace, key]);
      const [row] = (await answered('could not be read', reading)).rows;
      return typeof row?.value === 'string' ? row.value : undefined;
    },
    async set(key, value) {
      await write(UPSERT, key, value);
    },
    setIfAbsent: (key, value) => write(INSERT_ABSENT, key, value),
    compareAndSet: (key, before, value) => write(UPDATE, key, before, value),
    async delete(key) {
      await write(DELETE, key);
    },
    async *list(prefix) {
      for (let after: string | null = null; ; ) {
        const reading: Promise<{ rows: unknown[] }> = pool.query(LIST, [namespace, prefix, after]);
        const rows = listed.parse((await answered('could not be read', reading)).rows);
        yield* rows;
        if (rows.length < PAGE) return;
        after = rows.at(-1)?.key ?? null;
      }
    },
    close,
  };
}

/** Connects, and makes the table if it does not exist. */
async function connect(url: URL) {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 10,
    connectionTimeoutMillis: 15_000,
    query_timeout: 15_000,
  });
  // A broken idle connection is replaced at the next query; an unhandled error would end the
  // process.
  pool.on('error', () => {});

  const answered = asStoreFailure(url);
  try {
    // Checked first, because making a table needs a right that reading and writing it do not.
    const lookup = pool.query('SELECT to_regclass($1) AS found', [TABLE]);
    const { rows } = await answered('cannot be reached', lookup);
    if (!rows[0]?.found) {
      // Two workers that start together may both find it missing, and "if not exists" can still
      // collide.
      const making = pool.query(CREATE).catch(() => pool.query(CREATE));
      await answered(`did not allow creating the table ${TABLE}`, making);
    }
  } catch (failure) {
    await pool.end();
    throw failure;
  }
  return { pool, answered, close: () => pool.end() };
}
