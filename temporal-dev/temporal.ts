/** Finds the Temporal server of the local stack: configured, already running, or started here. */
import { join } from 'node:path';
import { type TemporalTarget, temporalTarget } from '../client/temporal-target.js';
import { Failure } from '../core/failure.js';
import { setting } from '../core/settings.js';
import type { Child } from './child.js';
import type { FetchContext } from './fetch.js';
import { reasonOf, SetupError } from './setup-error.js';
import { freePortLike, portAnswers } from './tcp-ports.js';
import { connectTemporal, obtainTemporalBinary, startTemporalServer } from './temporal-server.js';

/** Difference between the dev server's port and that of its UI. */
const UI_PORT_OFFSET = 1_000;
const CONFIGURED_TIMEOUT_MS = 5_000;
const RUNNING_TIMEOUT_MS = 3_000;
const UI_TIMEOUT_MS = 1_000;

/**
 * A Temporal server that was found or started: namespace, connection options and the URL of its UI.
 */
export interface LocalTemporal extends TemporalTarget {
  /** URL of the web UI; null if there is none or it is unknown. */
  uiUrl: string | null;
  /** The server process; absent unless this process started it. */
  child?: Child;
}

/**
 * Returns the namespace, the connection settings (`connectConfig`) and the UI address (`uiUrl`,
 * null if unknown) of a Temporal server, and its process (`child`) if it was started here. The
 * server is the configured one, one that already answers on the port, or one started here, whose
 * program is downloaded if it is missing.
 *
 * @throws Failure Connection if the configured one does not answer; SetupError if another program
 * uses the port, if no program could be obtained, or if the server cannot be started, such as for
 * another namespace than "default". The message includes what to do.
 */
export async function findTemporal(context: FetchContext): Promise<LocalTemporal> {
  const { env, reporter } = context;
  const { port, ...target } = temporalTarget(env);
  if (port !== undefined && !(await portAnswers(port))) return startOwn(target, port, context);
  const { address } = target.connectConfig;
  try {
    const timeoutMs = port === undefined ? CONFIGURED_TIMEOUT_MS : RUNNING_TIMEOUT_MS;
    const { connection } = await connectTemporal(target.connectConfig, timeoutMs);
    await connection.close();
  } catch (cause) {
    if (port === undefined) {
      throw new Failure(
        'Connection',
        `The Temporal server of your configuration (${address}, namespace ${target.namespace}) does not answer: ` +
          `${reasonOf(cause)}. Check TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS and TEMPORAL_PROFILE, or unset them to have one started here.`,
        { cause },
      );
    }
    throw new SetupError(
      `Port ${port} is in use by something that is not Temporal (${reasonOf(cause)}). ` +
        'Stop it, or set DURABLE_RAG_TEMPORAL_PORT to a free port, or TEMPORAL_ADDRESS to your server.',
      { cause },
    );
  }
  const found = await configuredTemporal(context);
  const how =
    port === undefined ? `, namespace ${target.namespace} (configured)` : ' (was already running)';
  reporter.part('Temporal', `${address}${how}${ui(found.uiUrl)}`);
  return found;
}

/**
 * Returns the Temporal server that the environment configures, or else the local one's address,
 * without checking that it answers. `uiUrl` is the configured one, Temporal Cloud's, or that of a
 * server on this machine if it answers; otherwise null.
 */
export async function configuredTemporal({
  env,
}: Pick<FetchContext, 'env'>): Promise<LocalTemporal> {
  const { namespace, connectConfig } = temporalTarget(env);
  return { namespace, connectConfig, uiUrl: await uiOf(connectConfig.address, env) };
}

/** Starts a Temporal dev server and returns it. @throws {SetupError} as `findTemporal`. */
async function startOwn(
  target: TemporalTarget,
  port: number,
  context: FetchContext,
): Promise<LocalTemporal> {
  const { env, home, reporter, signal } = context;
  if (target.namespace !== 'default') {
    throw new SetupError(
      `TEMPORAL_NAMESPACE is ${target.namespace}, but a server started here has the namespace "default" only. ` +
        'Unset it, or set TEMPORAL_ADDRESS to the server that has it.',
    );
  }
  const binary = await obtainTemporalBinary(context);
  const uiPort = setting(env, 'DURABLE_RAG_UI_PORT') ?? port + UI_PORT_OFFSET;
  const child = await startTemporalServer({
    binary: binary.path,
    port,
    uiPort: await freePortLike(uiPort, 'DURABLE_RAG_UI_PORT', "Temporal's UI", reporter),
    // A database belongs to one server version, and to one server at a time: a port has just one.
    dbFilename: join(home, 'temporal', `server-${binary.serverVersion}-port-${port}.db`),
    logFile: join(home, 'logs', `temporal-${port}.log`),
    env,
    signal,
  });
  const { address, uiUrl, serverVersion } = child;
  reporter.part('Temporal', `${address}, server ${serverVersion} (${binary.origin})${ui(uiUrl)}`);
  return { ...target, uiUrl, child };
}

/**
 * Returns the URL of a server's UI: the configured one, Temporal Cloud's, or a dev server's if it
 * answers; otherwise null.
 */
async function uiOf(address: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (env.DURABLE_RAG_UI_URL) return env.DURABLE_RAG_UI_URL.replace(/\/+$/, '');
  const { hostname, port } = new URL(`grpc://${address}`);
  if (/\.(tmprl\.cloud|api\.temporal\.io)$/.test(hostname)) return 'https://cloud.temporal.io';
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return null;
  const uiPort = setting(env, 'DURABLE_RAG_UI_PORT') ?? Number(port) + UI_PORT_OFFSET;
  const url = `http://${hostname}:${uiPort}`;
  try {
    const page = await fetch(url, { signal: AbortSignal.timeout(UI_TIMEOUT_MS) });
    await page.body?.cancel();
    return page.ok ? url : null;
  } catch {
    return null;
  }
}

/** Returns the URL of the UI as a part of a report; empty if there is none. */
function ui(url: string | null): string {
  return url === null ? '' : `, UI ${url}`;
}
