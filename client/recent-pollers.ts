/** Lists the workers of a task queue that the Temporal server knows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { isAlive } from '../core/is-alive.js';
import { ROLES, type Role } from '../core/roles.js';
import { QUEUE_TYPE, type QueueType, queueOf } from '../workflows/queue/task-queues.js';

/**
 * Time in milliseconds after which a poller that has not polled counts as gone; polls are renewed
 * more often.
 */
const RENEWED_MS = 70_000;

const POLL_MS = 50;
const APPEAR_MS = 10_000;

/** A connection to a Temporal server, a client's or a worker's, and a namespace of the server. */
export interface Server {
  connection: ConnectionLike;
  namespace: string;
}

type TaskQueue = Awaited<ReturnType<ConnectionLike['workflowService']['describeTaskQueue']>>;
type Poller = TaskQueue['pollers'][number];

/**
 * Returns the pollers of a task queue that have polled in the last 70 seconds, so one that ended
 * within a minute may be included.
 */
export async function recentPollers(
  server: Server,
  taskQueue: string,
  type: QueueType,
): Promise<Poller[]> {
  const pollers = await listedPollers(server, taskQueue, type);
  return pollers.filter(isRecent);
}

/** Returns all pollers that the server lists: those that have polled in the last five minutes. */
async function listedPollers(
  { connection, namespace }: Server,
  taskQueue: string,
  type: QueueType,
): Promise<Poller[]> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: type,
  });
  return pollers;
}

function isRecent(poller: Pick<Poller, 'lastAccessTime'>): boolean {
  return Date.now() - lastPollOf(poller) <= RENEWED_MS;
}

/** Returns the time of the last poll, in milliseconds since 1970; 0 if unknown. */
export function lastPollOf({ lastAccessTime }: Pick<Poller, 'lastAccessTime'>): number {
  return millisecondsOf(lastAccessTime);
}

/** Returns a time of Temporal's API in whole milliseconds since 1970; 0 if unknown. */
export function millisecondsOf(time: Poller['lastAccessTime']): number {
  return Number(time?.seconds ?? 0) * 1000 + Math.floor((time?.nanos ?? 0) / 1e6);
}

/**
 * Returns the pollers of a task queue, one entry for each role and process. `isFull` marks a
 * worker that does not poll for this role because it has no capacity; it is included if it polls
 * for another role.
 */
export async function presentPollers(
  server: Server,
  taskQueue: string,
): Promise<{ role: Role; poller: Poller; isFull: boolean }[]> {
  const listed = await Promise.all(
    ROLES.map(async (role) => {
      const pollers = await listedPollers(server, queueOf(role, taskQueue), typeOf(role));
      return pollers.map((poller) => ({ role, poller, isFull: !isRecent(poller) }));
    }),
  );
  const all = listed.flat();
  const alive = new Set(all.flatMap((one) => (one.isFull ? [] : [one.poller.identity])));
  return all.filter(({ poller, isFull }) => !isFull || alive.has(poller.identity));
}

function typeOf(role: Role): QueueType {
  return role === 'questions' ? QUEUE_TYPE.workflow : QUEUE_TYPE.activity;
}

/** Returns the recent pollers of a role, from the task queue of that role. */
function pollersOfRole(server: Server, role: Role, taskQueue: string): Promise<Poller[]> {
  return recentPollers(server, queueOf(role, taskQueue), typeOf(role));
}

/**
 * Waits until `isThere` returns true, but at most ten seconds: the server lists workers with a
 * delay after their start. Also resolves if the time is up or the signal has fired, and does not
 * tell which happened.
 */
export async function untilAppeared(
  isThere: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const until = Date.now() + APPEAR_MS;
  while (!signal?.aborted && !(await isThere()) && Date.now() < until) await sleep(POLL_MS);
}

/**
 * Waits until the server lists the worker of this identity for each of its roles, so that the next
 * command finds it. Resolves after ten seconds, or when the signal fires, in any case.
 */
export async function untilListed(
  server: Server,
  { taskQueue, roles, identity }: { taskQueue: string; roles: readonly Role[]; identity: string },
  signal: AbortSignal,
): Promise<void> {
  const isListed = async (role: Role) => {
    const pollers = await pollersOfRole(server, role, taskQueue).catch(() => []);
    return pollers.some((poller) => poller.identity === identity);
  };
  await untilAppeared(async () => (await Promise.all(roles.map(isListed))).every(Boolean), signal);
}

/**
 * Returns the identities of the processes that poll for workflows of a task queue, each once.
 * Processes of this machine that have ended are left out.
 */
export async function servingProcesses(server: Server, taskQueue: string): Promise<string[]> {
  const pollers = await recentPollers(server, taskQueue, QUEUE_TYPE.workflow);
  const names = new Set(pollers.map(({ identity }) => identity || 'unnamed'));
  return [...names].filter(mayRun);
}

/**
 * Returns whether the process of a worker may still be running; true for processes on other
 * machines, which cannot be checked.
 *
 * @param identity "PID@MACHINE".
 */
export function mayRun(identity: string): boolean {
  const [, pid, machine] = /^(\d+)@(.*)$/.exec(identity) ?? [];
  return isAlive({ pid: Number(pid), host: machine });
}
