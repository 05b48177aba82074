/** What the parts of a site take: bytes on their disks, seconds of a core. */
import { usageOf } from '../chaos/usage.js';
import { DATABASES } from './server-config.js';
import { onPostgres, type Site, STORE_DATABASE } from './site.js';

/** By part. */
export type Sizes = Record<string, number>;

/** Bytes of the databases of Temporal and of the store, which has the results as well. */
export async function bytesOf({ postgres }: Site): Promise<Sizes> {
  const names = [...Object.values(DATABASES), STORE_DATABASE];
  const sizes = await Promise.all(
    names.map(async (name) => {
      const [row] = await onPostgres(postgres.url, `SELECT pg_database_size('${name}') AS bytes`);
      return [name, Number((row as { bytes: string }).bytes)] as const;
    }),
  );
  return Object.fromEntries(sizes);
}

/** What the command lines of the parts are told by. */
const PARTS = {
  server: /temporal-server-/,
  database: /postgres/,
  search: /org\.elasticsearch/,
  workers: /durable-rag\.js worker/,
};

/** Seconds of a core that the parts have taken so far. */
export async function cpuSeconds(): Promise<Sizes> {
  const usage = await usageOf(PARTS);
  return Object.fromEntries(
    Object.entries(usage).map(([part, { cpuSeconds }]) => [part, cpuSeconds]),
  );
}

/** "temporal 34215, durable_rag 5922": what has come on top, for each of so many. */
export function perQuestion(before: Sizes, after: Sizes, questions: number): string {
  return Object.entries(after)
    .map(([part, size]) => `${part} ${Math.round((size - (before[part] ?? 0)) / questions)}`)
    .join(', ');
}
