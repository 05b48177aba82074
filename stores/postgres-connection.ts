/**
 * Connections to a Postgres server, and the tables made there.
 *
 * On `pg` itself and not on Keyv's adapter of it: that one ends the process when the server drops an
 * idle connection, and closes the connections of every other store when one is closed.
 */
import pg from 'pg';
import { shownUrl, storeFailure } from './failures.js';

export interface PostgresConnection {
  pool: pg.Pool;
  /** The command's answer, or a Failure that says `what` the store did. */
  answered<T>(what: string, command: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Connects to a Postgres server and makes a table if it is not there.
 *
 * @param create The statement that makes the table, "if not exists".
 * @throws Failure Connection when the server cannot be reached, refuses the user or the table.
 */
export async function connectPostgres(
  url: URL,
  table: string,
  create: string,
): Promise<PostgresConnection> {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 10,
    connectionTimeoutMillis: 15_000,
    query_timeout: 15_000,
  });
  // An idle connection that breaks is replaced at the next query; unheard, it would end the process.
  pool.on('error', () => {});

  async function answered<T>(what: string, command: Promise<T>): Promise<T> {
    try {
      return await command;
    } catch (error) {
      throw storeFailure('Connection', `The store at ${shownUrl(url)} ${what}`, error);
    }
  }

  try {
    // Looked up first: making a table needs a right that reading and writing it do not.
    const lookup = pool.query('SELECT to_regclass($1) AS found', [table]);
    const { rows } = await answered('cannot be reached', lookup);
    if (!rows[0]?.found) {
      // Two workers that start together can both find it missing; "if not exists" then still collides.
      const making = pool.query(create).catch(() => pool.query(create));
      await answered(`did not let us make the table ${table}`, making);
    }
  } catch (failure) {
    await pool.end();
    throw failure;
  }
  return { pool, answered, close: () => pool.end() };
}
