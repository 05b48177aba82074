import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { registerSearchAttributes } from '../workers/search-attributes.js';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.js';
import { TEMPORAL } from './artifacts.js';
import type { Child } from './child.js';
import { startServing } from './child.js';
import { type FetchContext, isFetched, obtainArtifact } from './fetch.js';
import { childEnvironment, findProgram, stdoutOf } from './find-program.js';
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
  // By default, the server reads two rows for most requests, to know new search attributes at once.
  // Ours are known before the server is ready, others within seconds.
  'system.forceSearchAttributesCacheRefreshOnRead': 'false',
  // A closed run can be deleted only after this interval, 30 seconds by default.
  'history.transferProcessorUpdateAckInterval': '"1s"',
};
const PRAGMAS = ['journal_mode=wal', 'synchronous=normal']; // faster, and safe on a crash

/**
 * Variable that lets the heap grow by 300 % before Go collects garbage; Go's default is 100. It saves
 * a twelfth of the server's CPU for 160 MB more under load. A value in the environment overrides it.
 */
const GARBAGE_COLLECTION = { GOGC: '300' };

/** Dynamic configuration of a Temporal server: values as JSON text, by key. */
export type DynamicConfig = Readonly<Record<string, string>>;

/** Program, ports, data and settings of a Temporal dev server. */
interface TemporalServerOptions {
  binary: string;
  port: number;
  /** Port of the web UI; null for a server without it. */
  uiPort: number | null;
  /** Database file; if undefined, all data is in memory. */
  dbFilename?: string | undefined;
  logFile: string;
  /** Dynamic configuration added to ours; it overrides equal keys. */
  dynamicConfig?: DynamicConfig | undefined;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
}

/**
 * A running Temporal dev server, with its address, the URL of its UI (null without one) and its
 * version.
 */
interface TemporalServer extends Child {
  address: string;
  uiUrl: string | null;
  serverVersion: string;
}

/**
 * Starts a Temporal dev server on 127.0.0.1. Returns its process, with `address`, `serverVersion`
 * and the URL of its UI (`uiUrl`, null without one), once it is ready and our search attributes
 * are registered.
 *
 * @throws {SetupError} with the last lines of its log if it does not become ready.
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

/** Returns the arguments of the `temporal` program. */
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

/**
 * Returns the server's version if its namespace and search attributes exist; otherwise undefined.
 */
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
 * Connects to a Temporal server, and returns the `connection` and the server's version
 * (`serverVersion`), which shows that it answers. The caller closes the connection.
 *
 * @throws The SDK's error if no Temporal server answers within `timeoutMs` milliseconds.
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

/** Oldest usable server version: the first with fairness keys and live task queue settings. */
const OLDEST_SERVER = [1, 29] as const;

/**
 * Returns the path of a `temporal` program (`path`), where it was found (`origin`, a phrase for
 * messages), and the version of its server (`serverVersion`, such as "1.32.0"). It is the program
 * on the PATH if it is new enough, else the pinned one, which is downloaded if it is missing.
 *
 * @throws {SetupError} with what was tried and what to install.
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
  const path = await obtainArtifact(TEMPORAL, context);
  const serverVersion = await serverVersionOf(path);
  if (serverVersion === undefined) {
    throw new SetupError(`${path} does not run on this machine.`);
  }
  return { path, origin: cached ? 'cached' : 'fetched', serverVersion };
}

/** Returns the server version that a `temporal` program prints; undefined if it does not run. */
async function serverVersionOf(binary: string): Promise<string | undefined> {
  try {
    return /Server (\d+\.\d+\.\d+)/.exec(await stdoutOf(binary, ['--version']))?.[1];
  } catch {
    return undefined;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}
