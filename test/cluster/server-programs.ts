/** The Temporal server as it runs in production: built once from its Go module, then found. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../files/lock.js';
import { findProgram } from '../../temporal-dev/find-program.js';

export const SERVER_VERSION = '1.32.0';
const MODULE = 'go.temporal.io/server';
const PACKAGES = ['cmd/server', 'cmd/tools/sql'];

/** The first Go that fetches the Go a module asks for, by itself. */
const OLDEST_GO = [1, 21] as const;
export const INSTALL_GO = `install Go ${OLDEST_GO.join('.')} or newer (https://go.dev/doc/install)`;

/**
 * What carries its work is compiled as it is in production. Most of what it is made of is for clouds
 * and databases that no test has: left as it is written, it takes half the time.
 */
const OPTIMIZED = [
  'std',
  'go.temporal.io/...',
  'google.golang.org/...',
  'github.com/gogo/...',
  'github.com/jackc/...',
];
const FLAGS = [
  '-ldflags=-s -w',
  '-gcflags=all=-N -l',
  ...OPTIMIZED.map((packages) => `-gcflags=${packages}=`),
];

/** Five minutes of both cores of a small machine, and what it takes to fetch 500 modules. */
const BUILD_MS = 60 * 60_000;

export interface ServerPrograms {
  /** Runs one or more services of Temporal. */
  server: string;
  /** Makes its databases. */
  sql: string;
}

/**
 * The programs in the home's cache; built there where they are not.
 *
 * @param say Is told of a build, which takes minutes.
 * @returns What there is to be installed, where they cannot be built.
 */
export async function obtainServerPrograms(
  home: string,
  say: (text: string) => void,
): Promise<ServerPrograms | string> {
  const folder = join(home, 'artifacts', `temporal-server-${SERVER_VERSION}`);
  const programs = { server: join(folder, 'server'), sql: join(folder, 'sql') };
  if (existsSync(folder)) return programs;
  const go = await findProgram('go', process.env);
  if (go === undefined || !(await isRecent(go))) return INSTALL_GO;
  await mkdir(dirname(folder), { recursive: true });
  const onWait = () => say('Another process builds the Temporal server; waiting for it.');
  await withLock(folder, { onWait }, async () => {
    if (existsSync(folder)) return;
    say(`Building the Temporal server ${SERVER_VERSION}, once: 300 seconds of a core.`);
    await build(go, folder);
  });
  return programs;
}

/** What is half built lies elsewhere, and is no part of the next build. */
async function build(go: string, folder: string): Promise<void> {
  const making = `${folder}.partial`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making);
  try {
    const packages = PACKAGES.map((path) => `${MODULE}/${path}@v${SERVER_VERSION}`);
    // No settings for a module of ours may apply; a Go that is too old fetches the one it takes.
    const tool = { GOBIN: making, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'auto' };
    // A tenth of the compiler's time is its garbage collection, at the usual 100.
    const env = { GOGC: '400', ...process.env, ...tool };
    const options = { cwd: making, env, timeout: BUILD_MS, maxBuffer: 2 ** 26 };
    await promisify(execFile)(go, ['install', ...FLAGS, ...packages], options);
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

async function isRecent(go: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(go, ['version']);
  const [, major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return major > OLDEST_GO[0] || (major === OLDEST_GO[0] && minor >= OLDEST_GO[1]);
}
