/** What tests do to a server of a store behind its back. */
import { createClient } from '@redis/client';
import { Client } from 'pg';

/** Makes a server take writes or refuse them, while it can be read all the time. */
export type TakeWrites = (url: string, takes: boolean) => Promise<void>;

/** Out of memory, where it takes none. */
export const redisTakesWrites: TakeWrites = (url, takes) =>
  command(url, ['CONFIG', 'SET', 'maxmemory', takes ? '0' : '1']);

export const emptyRedis = (url: string) => command(url, ['FLUSHALL']);

/** Read-only, where it takes none. */
export const postgresTakesWrites: TakeWrites = (url, takes) => {
  const readOnly = takes ? 'off' : 'on';
  const set = `ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`;
  return query(url, [set, 'SELECT pg_reload_conf()']);
};

export const emptyPostgres = (url: string) => query(url, ['TRUNCATE durable_rag_store']);

async function command(url: string, words: string[]): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  await client.sendCommand(words);
  client.destroy();
}

async function query(url: string, statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
