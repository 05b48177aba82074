/** Starts real Redis and Postgres servers for tests, from what the machine has. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../temporal-dev/tcp-ports.js';

export interface TestServer {
  url: string;
  port: number;
  /** SIGKILL, of all its processes; its data stays. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server and removes its data. */
  remove(): Promise<void>;
}

/** The path of redis-server, or undefined. */
export function findRedis(): string | undefined {
  return findBinary('redis-server', []);
}

/** The folder with Postgres's initdb and postgres, or undefined. Debian keeps it off the PATH. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map((v) => join(debian, v, 'bin')) : [];
  return findBinary('initdb', versions)?.replace(/\/initdb$/, '');
}

/** Of the servers. */
export const PASSWORD = 'hunter22hunter22';

export async function startRedis(binary: string): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'durable-rag-redis-'));
  const port = await freePort();
  const options = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    requirepass: PASSWORD,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const run = () => waitFor(spawn(binary, args), /Ready to accept connections/);
  return server({ url: `redis://:${PASSWORD}@127.0.0.1:${port}`, port, folder, run });
}

/** @param settings Of the server, beside where it listens. */
export async function startPostgres(
  bin: string,
  settings: Record<string, string | number> = {},
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'durable-rag-postgres-'));
  const port = await freePort();
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = join(folder, 'data');
  const script = `printf %s "$PASSWORD" > pw && "${bin}/initdb" -D data -U me -A scram-sha-256 --pwfile pw --no-sync`;
  execFileSync('sh', ['-c', script], {
    ...options,
    env: { ...process.env, PASSWORD },
    stdio: 'pipe',
  });
  const set = Object.entries({ listen_addresses: '127.0.0.1', ...settings });
  const args = ['-D', data, '-p', String(port), '-k', folder];
  args.push(...set.flatMap(([name, value]) => ['-c', `${name}=${value}`]));
  const run = () => waitFor(spawn(`${bin}/postgres`, args, options), /ready to accept connections/);
  const url = `postgres://me:${PASSWORD}@127.0.0.1:${port}/postgres`;
  return server({ url, port, folder, run });
}

interface ServerParts {
  url: string;
  port: number;
  folder: string;
  run: () => Promise<ChildProcess>;
}

async function server({ url, port, folder, run }: ServerParts): Promise<TestServer> {
  let child = await run();
  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const served = childrenOf(child);
    child.kill('SIGKILL');
    await ended;
    // Postgres has a process for each connection, which hold its memory for a while longer.
    for (const pid of served) killIfThere(pid);
  }
  return {
    url,
    port,
    kill,
    async start() {
      child = await run();
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function childrenOf({ pid }: ChildProcess): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []));
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function findBinary(name: string, folders: string[]): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter);
  return [...path, ...folders].map((folder) => join(folder, name)).find((file) => existsSync(file));
}

function ordinaryUser(): { uid: number; gid: number } {
  const id = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  const of = (name: string) => ({ uid: id('-u', name), gid: id('-g', name) });
  try {
    return of('postgres');
  } catch {
    return of('nobody');
  }
}

/** Resolves when the process says that it is ready. */
function waitFor(child: ChildProcess, ready: RegExp): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      if (ready.test(output)) resolve(child);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
}
