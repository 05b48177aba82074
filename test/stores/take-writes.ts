/** Makes a server of a store take writes or refuse them, while it can be read all the time. */
import { createClient } from '@keyv/redis';
import { Client } from 'pg';

export type TakeWrites = (url: string, takes: boolean) => Promise<void>;

/** Out of memory, where it takes none. */
export const redisTakesWrites: TakeWrites = async (url, takes) => {
  const client = createClient({ url });
  await client.connect();
  await client.sendCommand(['CONFIG', 'SET', 'maxmemory', takes ? '0' : '1']);
  client.destroy();
};

/** Read-only, where it takes none. */
export const postgresTakesWrites: TakeWrites = async (url, takes) => {
  const client = new Client(url);
  await client.connect();
  const readOnly = takes ? 'off' : 'on';
  await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
};
