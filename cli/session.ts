/** Opens Temporal, a client and, if needed, a worker in this process for a command. */
import { createClient, type DurableRagClient } from '../client/create-client.js';
import { servingProcesses } from '../client/recent-pollers.js';
import { pingServer } from '../client/server-away.js';
import { startWorkerAdvice } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { ENCRYPTION_KEYS } from '../stores/encryption/keyring.js';
import { portAnswers } from '../temporal-dev/tcp-ports.js';
import { configuredTemporal } from '../temporal-dev/temporal.js';
import { readConfig } from '../workers/config.js';
import type { CliContext } from './context.js';
import { type RunningStack, startStackWithWorker } from './local.js';
import { reachServer, unreachable } from './reach-server.js';
import { withDatasets } from './stored-dataset.js';

/**
 * A client that is connected to a Temporal server, with the local stack if this process started it.
 */
export interface Session {
  temporal: RunningStack['temporal'];
  client: DurableRagClient;
  /** Checks that the server answers; rejects if it does not. */
  pingServer(): Promise<unknown>;
  /** The local stack of this process; undefined if the worker runs elsewhere. */
  stack: RunningStack | undefined;
  close(): Promise<void>;
}

/** A session on a server that was already running. */
interface ServerSession extends Session {
  /** Whether a worker polls the task queue. */
  hasWorker: boolean;
}

/**
 * Opens a session on the running Temporal server if a worker polls there; otherwise starts a local
 * stack of its own and opens a session on that. Returns the session, which the caller closes.
 *
 * @param stored References to the data sets to ask: see `ownSession`.
 */
export async function followingSession(
  context: CliContext,
  stored: readonly string[] = [],
): Promise<Session> {
  const session = await serverSession(context).catch(noneIfUnreachable);
  if (session?.hasWorker) return session;
  await session?.close();
  return ownSession(context, stored);
}

/**
 * Opens a session on the running Temporal server, on which a worker must poll. Returns the
 * session, which the caller closes.
 *
 * @throws Failure Connection naming the server if none answers, or if no worker polls; BadInput if
 * it has no such namespace.
 */
export async function workerSession(context: CliContext): Promise<Session> {
  const session = await serverSession(context);
  if (session.hasWorker) return session;
  await session.close();
  const { taskQueue } = readConfig(context.env);
  throw new Failure(
    'Connection',
    `No worker polls the task queue ${taskQueue} at ${session.temporal.connectConfig.address}: ${startWorkerAdvice()}.`,
  );
}

/**
 * Opens a session on the running Temporal server, with or without a worker: `hasWorker` tells
 * which. Returns the session, which the caller closes.
 *
 * @throws Failure Connection naming the server if none answers; BadInput if it has no such
 * namespace.
 */
export async function serverSession(context: CliContext): Promise<ServerSession> {
  const { taskQueue } = readConfig(context.env);
  const temporal = await configuredTemporal(context);
  const { address } = temporal.connectConfig;
  if (await isNobodyThere(address)) throw unreachable(address, 'nothing listens there');
  const connection = await reachServer(temporal);
  const close = () => connection.close();
  try {
    const { namespace } = temporal;
    const workers = await servingProcesses({ connection, namespace }, taskQueue);
    const session = await sessionOn({ temporal, connection }, context);
    return { ...session, stack: undefined, close, hasWorker: workers.length > 0 };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns undefined for a Failure Connection; throws any other error. */
export function noneIfUnreachable(error: unknown): undefined {
  if (!(error instanceof Failure && error.type === 'Connection')) throw error;
}

/**
 * Returns whether an address is a closed port of this machine. gRPC would retry it until its
 * timeout.
 */
async function isNobodyThere(address: string): Promise<boolean> {
  const [, port] = /^127\.0\.0\.1:(\d+)$/.exec(address) ?? [];
  return port !== undefined && !(await portAnswers(Number(port)));
}

/**
 * Starts a local stack, opens a session on it, and returns the session; its `close` stops the
 * stack.
 *
 * @param stored References to the data sets to ask. One that is not in the store is refused before
 * anything is started.
 */
export async function ownSession(
  context: CliContext,
  stored: readonly string[] = [],
): Promise<Session> {
  if (stored.length > 0) {
    await withDatasets(context, ({ find }) => Promise.all(stored.map((ref) => find(ref))));
  }
  const stack = await startStackWithWorker(context);
  return { ...(await sessionOn(stack, context)), stack, close: stack.stop };
}

async function sessionOn(
  { temporal, connection }: Pick<RunningStack, 'temporal' | 'connection'>,
  { env, config: { methods, codec } = {} }: CliContext,
): Promise<Pick<Session, 'temporal' | 'client' | 'pingServer'>> {
  const { namespace } = temporal;
  const { taskQueue } = readConfig(env);
  const own = { ...(methods && { methods }), ...(codec && { codec }) };
  const encryptionKeys = env[ENCRYPTION_KEYS] ?? '';
  const client = await createClient({ connection, namespace, taskQueue, ...own, encryptionKeys });
  return { temporal, client, pingServer: () => pingServer(connection) };
}

/**
 * Returns the URL of a workflow's history in the Temporal UI; undefined if the UI's address is
 * unknown.
 */
export function historyUrl({ temporal }: Session, workflowId: string): string | undefined {
  const { uiUrl, namespace } = temporal;
  return uiUrl === null
    ? undefined
    : `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
