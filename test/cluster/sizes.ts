/** How much the parts of a site have on their disks. */
import { DATABASES } from './server-config.js';
import { onPostgres, type Site, STORE_DATABASE } from './site.js';

/** Bytes by part: the databases of Temporal, the store, the results. */
export async function bytesOf({ postgres, search }: Site): Promise<Record<string, number>> {
  const names = [...Object.values(DATABASES), STORE_DATABASE];
  const sizes = await Promise.all(
    names.map(async (name) => {
      const [row] = await onPostgres(postgres.url, `SELECT pg_database_size('${name}') AS bytes`);
      return [name, Number((row as { bytes: string }).bytes)] as const;
    }),
  );
  await fetch(`${search.url}/_flush`, { method: 'POST' });
  const stats = await fetch(`${search.url}/durable-rag-*runs*/_stats/store`);
  const { _all } = (await stats.json()) as {
    _all: { primaries: { store?: { size_in_bytes: number } } };
  };
  return { ...Object.fromEntries(sizes), results: _all.primaries.store?.size_in_bytes ?? 0 };
}
