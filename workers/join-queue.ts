/** Announces a worker's stores to the other workers of its task queue, and refuses other stores. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayRun, recentPollers, type Server, untilAppeared } from '../client/recent-pollers.js';
import { Failure } from '../core/failure.js';
import { otherStores, type StoreIds } from '../workflows/queue/store-ids.js';
import { QUEUE_TYPE, storesQueue } from '../workflows/queue/task-queues.js';

/** The task queue that a worker joins, and its server. */
interface QueueToJoin extends Server {
  taskQueue: string;
}

/** An announced worker. As JSON it is the identity with which the worker polls. */
interface Announced {
  /** Process id and machine: `123@host`. */
  process: string;
  /** Id of the worker, unique within its process. */
  worker: string;
  stores: StoreIds;
}

/** Ids of this process's announced workers. The server lists a stopped one for a while. */
const announcedHere = new Set<string>();

/** Longest duration of a poll; the server drops a worker that has not polled for 70 s. */
const POLL_MS = 40_000;

/** Wait between two polls while the server does not answer. */
const AGAIN_MS = 1_000;

/**
 * Announces the ids of this worker's stores to the other workers of its task queue, and refuses a
 * worker whose stores differ from theirs. The worker polls a queue that never has work, under an
 * identity that contains the ids. It compares before and after the announcement, so that of two
 * workers that start at once at least one notices the other.
 *
 * @param warn Called each time that workers with other stores appear later, for instance because
 * this machine was asleep.
 * @returns A function that ends the announcement.
 * @throws Failure BadInput if another worker of the queue has other stores, with the settings to
 * share. If workers with different stores start at once, all of them may be refused: they have no
 * common store or clock by which to choose one.
 */
export async function announceStores(
  queue: QueueToJoin,
  stores: StoreIds,
  warn: (message: string) => void,
): Promise<() => void> {
  const { taskQueue } = queue;
  const refuse = async () => {
    const differing = await differingFrom(queue, stores);
    if (differing.length > 0) throw new Failure('BadInput', refusal(taskQueue, differing));
  };
  await refuse();
  const own: Announced = {
    process: `${process.pid}@${hostname()}`,
    worker: randomUUID(),
    stores,
  };
  const leaving = new AbortController();
  const leave = () => {
    announcedHere.delete(own.worker);
    leaving.abort();
  };
  announcedHere.add(own.worker);
  void announce(queue, own, leaving.signal, warn);
  try {
    await untilAppeared(async () => {
      const others = await announcedFor(queue).catch(() => []);
      return others.some(({ worker }) => worker === own.worker);
    });
    await refuse();
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}

/**
 * Announces a worker: polls until `leaving` aborts, and compares the other workers' stores after
 * each poll.
 */
async function announce(
  queue: QueueToJoin,
  own: Announced,
  leaving: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  const { connection, namespace, taskQueue } = queue;
  const poll = {
    namespace,
    taskQueue: { name: storesQueue(taskQueue) },
    identity: JSON.stringify(own),
  };
  let isWarned = false;
  while (!leaving.aborted) {
    const begun = Date.now();
    await connection
      .withDeadline(begun + POLL_MS, () =>
        connection.withAbortSignal(leaving, () =>
          connection.workflowService.pollActivityTaskQueue(poll),
        ),
      )
      .catch(() => {});
    if (leaving.aborted) return;
    const differing = await differingFrom(queue, own.stores).catch(() => []);
    if (differing.length > 0 && !isWarned) warn(elsewhere(taskQueue, differing));
    isWarned = differing.length > 0;
    const pause = begun + AGAIN_MS - Date.now();
    if (pause > 0) await sleep(pause, undefined, { signal: leaving }).catch(() => {});
  }
}

/** Returns a phrase for each store in which another worker of the queue differs. */
async function differingFrom(queue: QueueToJoin, stores: StoreIds): Promise<string[]> {
  const others = await announcedFor(queue);
  return [...new Set(others.flatMap((other) => otherStores(other.stores, stores)))];
}

/** Returns the workers that serve the queue; ended ones of this machine are left out. */
async function announcedFor({ taskQueue, ...server }: QueueToJoin): Promise<Announced[]> {
  const pollers = await recentPollers(server, storesQueue(taskQueue), QUEUE_TYPE.activity);
  return pollers.flatMap(({ identity }) => readAnnounced(identity)).filter(isThere);
}

/** Returns whether an announced worker may still be running. */
function isThere({ process: name, worker }: Announced): boolean {
  return name === `${process.pid}@${hostname()}` ? announcedHere.has(worker) : mayRun(name);
}

/** Returns the announced worker in a poller's identity; empty for other pollers. */
function readAnnounced(identity: string | null | undefined): Announced[] {
  try {
    const { process, worker, stores } = JSON.parse(identity ?? '') as Announced;
    return typeof process === 'string' && stores instanceof Object
      ? [{ process, worker, stores }]
      : [];
  } catch {
    return [];
  }
}

function refusal(taskQueue: string, differing: readonly string[]): string {
  return `${elsewhere(taskQueue, differing)} Share what is named, or give this worker a queue of its own (--task-queue, or DURABLE_RAG_TASK_QUEUE); if all workers are to move, stop them first, and those on other machines a minute before.`;
}

function elsewhere(taskQueue: string, differing: readonly string[]): string {
  return `Other workers of the task queue ${taskQueue} keep ${differing.join('; ')} elsewhere than this one.`;
}
