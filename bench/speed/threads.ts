/** The CPU time of a worker by what its threads are for; from Linux's own account of a process. */
import { readdir, readFile } from 'node:fs/promises';
import { cpuOfStat } from './process-cpu.js';

export interface Thread {
  /** That of the main thread is the process's; they grow in the order in which threads begin. */
  id: number;
  /** As Linux has it: 15 characters at most. */
  name: string;
  /** Milliseconds since it began. */
  cpuMs: number;
}

/** What threads of a worker are for, in the order in which it is told. */
export const ROLES = {
  main: 'main thread',
  workflows: 'workflows',
  v8: 'V8: compiles, collects garbage',
  node: 'Node.js: files, lmdb',
  sdk: "core of Temporal's SDK",
  lance: 'LanceDB',
} as const;

export type Role = keyof typeof ROLES;

/** Node names none of its threads. */
const NODE = 'node';
const SDK = /^(temporal-|tokio-runtime|workflow-proces)/;
/** Node starts these right after its main thread: what waits with V8's tasks, and four workers. */
const V8_THREADS = 5;
/** No thread has one (2^22 is the most that Linux can be set to). */
const HIGHEST_ID = 2 ** 22;

/** The threads of a process; undefined where that cannot be read. */
export async function threadsOf(pid: number | undefined): Promise<Thread[] | undefined> {
  if (pid === undefined) return undefined;
  const ids = await readdir(`/proc/${pid}/task`).catch(() => undefined);
  if (!ids) return undefined;
  const threads = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => undefined);
      return stat === undefined ? [] : { id: Number(id), ...threadOfStat(stat) };
    }),
  );
  return threads.flat();
}

/** Milliseconds of CPU by role, of the threads of the process `pid`. Pure. */
export function byRole(threads: readonly Thread[], pid: number): Record<Role, number> {
  // After the highest id Linux begins at the lowest again.
  const place = ({ id }: Thread) => (id >= pid ? id : id + HIGHEST_ID);
  const ordered = threads.toSorted((a, b) => place(a) - place(b));
  // Node's own threads are there when the SDK is loaded; what it starts then runs the workflows.
  const sdk = ordered.findIndex(({ name }) => SDK.test(name));
  const early = new Set(ordered.slice(0, sdk === -1 ? ordered.length : sdk));
  const v8 = new Set(
    [...early].filter(({ id, name }) => name === NODE && id !== pid).slice(0, V8_THREADS),
  );
  const sums = eachRole(() => 0);
  for (const thread of ordered) {
    sums[roleOf(thread)] += thread.cpuMs;
  }
  return sums;

  function roleOf(thread: Thread): Role {
    if (thread.id === pid) return 'main';
    if (SDK.test(thread.name)) return 'sdk';
    if (thread.name !== NODE) return 'lance';
    if (v8.has(thread)) return 'v8';
    return early.has(thread) ? 'node' : 'workflows';
  }
}

/** The same figure of every role. */
export function eachRole(of: (role: Role) => number): Record<Role, number> {
  const roles = Object.keys(ROLES) as Role[];
  return Object.fromEntries(roles.map((role) => [role, of(role)])) as Record<Role, number>;
}

/** Name and time of a line of `/proc`. Pure. */
export function threadOfStat(stat: string): Omit<Thread, 'id'> {
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return { name, cpuMs: cpuOfStat(stat) };
}
