import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { registerSearchAttributes } from '../workers/search-attributes.js';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.js';
import { TEMPORAL } from './artifacts.js';
import type { Child } from './child.js';
import { startServing } from './child.js';
import { type FetchContext, isFetched, obtain } from './fetch.js';
import { childEnvironment, findProgram, outputOf } from './find-program.js';
import { SetupError } from './setup-error.js';
import { portAnswers } from './tcp-ports.js';

const READY_TIMEOUT_MS = 60_000;

const DYNAMIC_CONFIG: DynamicConfig = {
  'system.enableActivityEagerExecution': 'true', // faster: a worker begins activities of its own tasks
  'matching.enableFairness': 'true', // fairness keys, and with them priorities, take effect
  // A queue's limit is divided among its partitions, four by default, of which some run dry before
  // others; priority and fairness hold within each. One is enough for a machine.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // The server's default reads two rows for most requests, so that a search attribute is known as soon
  // as it is added. Ours are known before the server serves, others within seconds.
  'system.forceSearchAttributesCacheRefreshOnRead': 'false',
  // A run is deleted once the server has noted that it was closed, which it does every 30 seconds.
  'history.transferProcessorUpdateAckInterval': '"1s"',
};
const PRAGMAS = ['journal_mode=wal', 'synchronous=normal']; // faster, and safe on a crash

/**
 * Growth of the heap, in percent, before Go collects garbage; Go's default is 100. Saves a twelfth
 * of the server's CPU for 160 MB more under load. The environment's own value takes precedence.
 */
const GARBAGE_COLLECTION = { GOGC: '300' };

/** Settings of a Temporal server by key. */
export type DynamicConfig = Readonly<Record<string, string>>;

interface TemporalServerOptions {
  binary: string;
  port: number;
  /** null for a server without the web UI. */
  uiPort: number | null;
  /** File in which the data stays between starts; without it everything is in memory. */
  dbFilename?: string | undefined;
  logFile: string;
  /** Dynamic configuration that adds to ours or replaces it. */
  dynamicConfig?: DynamicConfig | undefined;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
}

interface TemporalServer extends Child {
  address: string;
  uiUrl: string | null;
  serverVersion: string;
}

/**
 * Starts `temporal server start-dev` on 127.0.0.1 with the search attributes registered.
 *
 * @throws {SetupError} with the last lines of its log when it does not come up.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { dbFilename, port, uiPort, signal } = options;
  signal?.throwIfAborted();
  if (dbFilename !== undefined) await mkdir(dirname(dbFilename), { recursive: true });
  const address = `127.0.0.1:${port}`;
  let serverVersion: string | undefined;
  const child = await startServing({
    name: 'Temporal',
    command: options.binary,
    args: serverArguments(options),
    env: { ...GARBAGE_COLLECTION, ...childEnvironment(options.env ?? process.env) },
    logFile: options.logFile,
    timeoutMs: READY_TIMEOUT_MS,
    signal,
    async isReady() {
      serverVersion = (await portAnswers(port)) ? await ready(address) : undefined;
      return serverVersion !== undefined;
    },
  });
  const uiUrl = uiPort === null ? null : `http://127.0.0.1:${uiPort}`;
  return Object.assign(child, { address, uiUrl, serverVersion: serverVersion ?? '' });
}

function serverArguments(options: TemporalServerOptions): string[] {
  const { port, uiPort, dbFilename, dynamicConfig } = options;
  const settings = Object.entries({ ...DYNAMIC_CONFIG, ...dynamicConfig });
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(dbFilename === undefined
      ? []
      : ['--db-filename', dbFilename, ...PRAGMAS.flatMap((one) => ['--sqlite-pragma', one])]),
    ...settings.flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

/** Returns the server's version once namespace and attributes exist; otherwise undefined. */
async function ready(address: string): Promise<string | undefined> {
  try {
    const { connection, serverVersion } = await connectTemporal({ address }, 2_000);
    try {
      const trouble = await registerSearchAttributes(connection, 'default');
      return trouble === undefined ? serverVersion : undefined;
    } finally {
      await connection.close();
    }
  } catch {
    return undefined;
  }
}

/**
 * Connects and asks for the server's version: proof that a Temporal server answers there.
 *
 * @throws whatever the SDK throws when nothing, or something else, answers within `timeoutMs`.
 */
export async function connectTemporal(
  config: ConnectionOptions,
  timeoutMs: number,
): Promise<{ connection: Connection; serverVersion: string }> {
  const connection = await Connection.connect({ ...config, connectTimeout: timeoutMs });
  try {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    return { connection, serverVersion: serverVersion ?? '' };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The first server with fairness keys and task queue settings that can change while it runs. */
const OLDEST_SERVER = [1, 29] as const;

/**
 * Returns a `temporal` program that can run: the PATH's, the cached one, or the pinned one,
 * fetched; its origin, for people; and the version of the server inside it, such as `1.32.0`.
 *
 * @throws {SetupError} that lists what was tried and what to install.
 */
export async function obtainTemporalBinary(context: FetchContext) {
  const { env, home, reporter } = context;
  const onPath = await findProgram('temporal', env);
  if (onPath !== undefined) {
    const serverVersion = await serverVersionOf(onPath);
    if (serverVersion !== undefined && isRecent(serverVersion)) {
      return { path: onPath, origin: `${onPath} (on the PATH)`, serverVersion };
    }
    reporter.warn(
      `${onPath} is not used: its server ${serverVersion ?? '(unknown version)'} is older than ${OLDEST_SERVER.join('.')}.`,
    );
  }

  const cached = await isFetched(TEMPORAL, home);
  const path = await obtain(TEMPORAL, context);
  const serverVersion = await serverVersionOf(path);
  if (serverVersion === undefined) {
    throw new SetupError(`${path} does not run on this machine.`);
  }
  return { path, origin: cached ? 'cached' : 'fetched', serverVersion };
}

/** Returns the version in `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`. */
async function serverVersionOf(binary: string): Promise<string | undefined> {
  try {
    return /Server (\d+\.\d+\.\d+)/.exec(await outputOf(binary, ['--version']))?.[1];
  } catch {
    return undefined;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}
