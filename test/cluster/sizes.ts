/** What the parts of a site take: bytes on their disks, seconds of a core. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
const PARTS: Record<string, RegExp> = {
  server: /temporal-server-/,
  database: /postgres/,
  search: /org\.elasticsearch/,
  workers: /durable-rag\.js worker/,
};

/** Seconds of a core that the parts have taken so far: of what this process has started, and lives. */
export async function cpuSeconds(): Promise<Sizes> {
  const columns = ['-A', '-o', 'pid=,ppid=,cputimes=,args='];
  const { stdout } = await promisify(execFile)('ps', columns, { maxBuffer: 2 ** 24 });
  const rows = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, seconds, args = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)/.exec(line) ?? [];
    return pid === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), seconds: Number(seconds), args }];
  });
  const ours = new Set([process.pid]);
  const below = (row: { pid: number; parent: number }) =>
    ours.has(row.parent) && !ours.has(row.pid);
  for (let found = rows.filter(below); found.length > 0; found = rows.filter(below)) {
    for (const { pid } of found) ours.add(pid);
  }
  return Object.fromEntries(
    Object.entries(PARTS).map(([part, pattern]) => {
      const its = rows.filter(({ pid, args }) => ours.has(pid) && pattern.test(args));
      return [part, its.reduce((sum, { seconds }) => sum + seconds, 0)];
    }),
  );
}

/** "temporal 34215, durable_rag 5922": what has come on top, for each of so many. */
export function perQuestion(before: Sizes, after: Sizes, questions: number): string {
  return Object.entries(after)
    .map(([part, size]) => `${part} ${Math.round((size - (before[part] ?? 0)) / questions)}`)
    .join(', ');
}
