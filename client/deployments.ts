/**
 * The versions of a task queue's workers: which one is current, and which others are still needed.
 */

import type { Client } from '@temporalio/client';
import { command } from '../core/command.js';
import { forEachLimited } from '../core/each-of.js';
import { Failure, succeeds } from '../core/failure.js';
import { ROLES, type Role } from '../core/roles.js';
import { deploymentOf, queueOf } from '../workflows/queue/task-queues.js';
import { GRPC, grpcCode } from './grpc-code.js';
import { lastPollOf, millisecondsOf, presentPollers, untilAppeared } from './recent-pollers.js';

/**
 * State of a version of the workers:
 *
 * - current: new questions start with it;
 * - ramping: a share of new questions starts with it;
 * - waiting: it has not been current, as far as the server knows;
 * - draining: workflows that stay with it (questions, runs and other jobs) are still running;
 * - drained: none is running, so its workers can be stopped.
 */
export type VersionState = 'current' | 'ramping' | 'waiting' | 'draining' | 'drained';

/** Numbers of worker processes by role, fully occupied ones included. */
export type Pollers = Record<Role, number>;

/**
 * A version of the workers: its build id, its state, the number of running workflows that stay
 * with it, and its number of worker processes by role.
 */
export interface WorkerVersion {
  /** Build id, a hash of the workflows' code. */
  build: string;
  state: VersionState;
  /** ISO time at which its first worker appeared. */
  createdAt: string;
  /** Number of running workflows that stay with it: questions, runs and other jobs. */
  open: number;
  workers: Pollers;
}

/**
 * A version other than the current one, and the percentage (0 to 100) of new questions that start
 * with it.
 */
export interface Ramp {
  /** Build id of the version; null for unversioned workers. */
  build: string | null;
  /** Percentage above 0, up to 100. */
  percentage: number;
}

/**
 * The workers of a task queue, as `describeDeployment` returns them: `versions`, newest first, the
 * build id of the `current` one (null if workers are not versioned), the `ramping` one with its
 * share (null if there is none), and the numbers of unversioned workers by role (`unversioned`).
 */
export type Deployment = Awaited<ReturnType<typeof describeDeployment>>;

/** Value of WorkerVersioningMode in Temporal's API; the client package re-exports no enums. */
const VERSIONED = 2;

/** Value of PendingActivityState in Temporal's API. */
const STARTED = 2;

/** Number of workflows examined for running calls, in total and in parallel. */
const MOST_EXAMINED = 100;
const AT_ONCE = 20;

/**
 * Returns the versions of a task queue's workers (`versions`, newest first), with their states and
 * numbers of workers by role, the versions with which new questions start (`current`, `ramping`),
 * the numbers of unversioned workers by role (`unversioned`), and the roles whose workers are all
 * occupied (`full`).
 */
export async function describeDeployment(client: Client, taskQueue: string) {
  const name = deploymentOf(taskQueue);
  const [info, pollers] = await Promise.all([
    deploymentInfo(client, name),
    pollersOf(client, taskQueue),
  ]);
  const routing = info?.routingConfig;
  const current = routing?.currentDeploymentVersion?.buildId || null;
  const percentage = withoutNoise(routing?.rampingVersionPercentage ?? 0);
  const ramping: Ramp | null =
    percentage > 0
      ? { build: routing?.rampingDeploymentVersion?.buildId || null, percentage }
      : null;
  const versions = (info?.versionSummaries ?? []).map(async (one): Promise<WorkerVersion> => {
    const build = one.deploymentVersion?.buildId ?? '';
    const open = await openOf(client, name, build);
    const wasCurrent = one.firstActivationTime != null || one.drainageInfo != null;
    return {
      build,
      state: routedTo(build, current, ramping) ?? stateOf(open, wasCurrent),
      createdAt: new Date(millisecondsOf(one.createTime)).toISOString(),
      open,
      workers: countOf(pollers, build),
    };
  });
  const newest = (await Promise.all(versions)).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return {
    taskQueue,
    name,
    /** Build that new questions start with; null if workers are not versioned. */
    current,
    /** Version that a share of new questions starts with instead; null if there is none. */
    ramping,
    /** Versions, newest first. */
    versions: newest,
    unversioned: countOf(pollers, undefined),
    /**
     * Parts of the work whose workers are fully occupied, each with the start of its oldest running
     * call, in milliseconds since 1970, or a later time if unknown.
     */
    full: fullOf(pollers),
  };
}

/** Returns a number of 32 bits as it was given: 33.3 is sent as 33.29999923706055. */
function withoutNoise(number: number): number {
  return Number(number.toPrecision(7));
}

/** Returns the state of a version that new questions start with; undefined for the others. */
function routedTo(
  build: string,
  current: string | null,
  ramping: Ramp | null,
): VersionState | undefined {
  if (build === current) return 'current';
  return build === ramping?.build ? 'ramping' : undefined;
}

/** Returns the state of a version that no new question starts with. */
function stateOf(open: number, wasCurrent: boolean): VersionState {
  if (open > 0) return 'draining';
  return wasCurrent ? 'drained' : 'waiting';
}

/** Returns the server's description of the deployment; undefined if it has none. */
async function deploymentInfo({ workflowService, options }: Client, deploymentName: string) {
  const { namespace } = options;
  try {
    const known = await workflowService.describeWorkerDeployment({ namespace, deploymentName });
    return known.workerDeploymentInfo;
  } catch (error) {
    if (grpcCode(error) !== GRPC.notFound) throw error;
    return undefined;
  }
}

/** Returns the number of running workflows that stay with a version. */
async function openOf({ workflowService, options }: Client, name: string, build: string) {
  const { count } = await workflowService.countWorkflowExecutions({
    namespace: options.namespace,
    query: `${pinnedTo(name, build)} AND ExecutionStatus = 'Running'`,
  });
  return Number(count ?? 0);
}

/**
 * Returns a visibility query that matches the workflows that stay with a version, running or
 * ended.
 *
 * @param deployment Name of the deployment.
 * @param build Build id of the version.
 */
export function pinnedTo(deployment: string, build: string): string {
  return `TemporalWorkerDeploymentVersion = '${deployment}:${build}' AND TemporalWorkflowVersioningBehavior = 'Pinned'`;
}

/** A worker process, as the server lists it for one role. */
interface Poller {
  role: Role;
  /** Build of the worker; undefined if it is not versioned. */
  build: string | undefined;
  /**
   * Start of the oldest call of a fully occupied worker, in milliseconds since 1970; undefined if
   * it is polling.
   */
  fullSince: number | undefined;
}

/**
 * Returns the roles whose workers are all fully occupied, each with the start of the oldest call,
 * in milliseconds since 1970.
 */
function fullOf(pollers: readonly Poller[]): Partial<Record<Role, number>> {
  const full = ROLES.flatMap((role) => {
    const times = pollers.filter((one) => one.role === role).map(({ fullSince }) => fullSince);
    const since = times.filter((time) => time !== undefined);
    return times.length > 0 && since.length === times.length ? [[role, Math.min(...since)]] : [];
  });
  return Object.fromEntries(full);
}

/**
 * Returns the workers of each role. The server forgets a worker that does not poll for some minutes
 * because it is fully occupied; its running calls show that it exists.
 */
async function pollersOf(client: Client, taskQueue: string): Promise<Poller[]> {
  const { connection, options } = client;
  const { namespace } = options;
  const found = await presentPollers({ connection, namespace }, taskQueue);
  const isFree = (role: Role) => found.some((one) => one.role === role && !one.isFull);
  const roles = ROLES.filter((role) => role !== 'questions' && !isFree(role));
  const working = roles.length === 0 ? [] : await workersAtCalls(client, taskQueue, roles);
  const polling = found.map(({ role, poller, isFull }): Poller & { identity: string } => {
    const { deploymentOptions } = poller;
    const identity = poller.identity ?? '';
    const isVersioned = deploymentOptions?.workerVersioningMode === VERSIONED;
    const build = (isVersioned && deploymentOptions?.buildId) || undefined;
    const call = working.find((one) => one.role === role && one.identity === identity);
    const fullSince = call?.fullSince ?? lastPollOf(poller);
    return { role, build, identity, fullSince: isFull ? fullSince : undefined };
  });
  const unlisted = working.filter(
    ({ role, identity }) => !polling.some((one) => one.role === role && one.identity === identity),
  );
  return [...polling, ...unlisted];
}

/**
 * Returns the workers that are running calls of these roles, each with the start of its oldest
 * call.
 */
async function workersAtCalls(
  client: Client,
  taskQueue: string,
  roles: readonly Role[],
): Promise<(Poller & { identity: string })[]> {
  const workers = new Map<string, Poller & { identity: string; fullSince: number }>();
  const query = `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`;
  await forEachLimited(
    first(client.workflow.list({ query })),
    AT_ONCE,
    async ({ workflowId, runId }) => {
      const execution = { workflowId, runId };
      const asked = { namespace: client.options.namespace, execution };
      // It may have ended since it was listed.
      const found = await client.workflowService.describeWorkflowExecution(asked).catch(() => null);
      for (const call of found?.pendingActivities ?? []) {
        const role = roles.find(
          (one) => call.activityOptions?.taskQueue?.name === queueOf(one, taskQueue),
        );
        if (role === undefined || call.state !== STARTED) continue;
        const identity = call.lastWorkerIdentity ?? '';
        const build = call.lastDeploymentVersion?.buildId || undefined;
        const since = millisecondsOf(call.lastStartedTime);
        const key = `${role} ${identity}`;
        const fullSince = Math.min(since, workers.get(key)?.fullSince ?? since);
        workers.set(key, { role, build, identity, fullSince });
      }
    },
  );
  return [...workers.values()];
}

/** Yields the first items, at most `MOST_EXAMINED`. */
async function* first<T>(all: AsyncIterable<T>): AsyncIterable<T> {
  let count = 0;
  for await (const one of all) {
    yield one;
    if (++count === MOST_EXAMINED) return;
  }
}

function countOf(pollers: readonly Poller[], build: string | undefined): Pollers {
  const count = (role: Role) =>
    pollers.filter((one) => one.role === role && one.build === build).length;
  return { questions: count('questions'), models: count('models'), retrieval: count('retrieval') };
}

/** Returns the roles for which a version has no workers, so that its questions would wait. */
export function rolesWithoutWorkers({ workers }: Pick<WorkerVersion, 'workers'>): Role[] {
  return ROLES.filter((role) => workers[role] === 0);
}

/**
 * Routes new questions to a version, or to unversioned workers (`null`).
 *
 * @param build Build id of the version. @default the newest version with workers that is not the
 * current one; for a `percentage` of 0 the version that has a share
 * @param percentage Percentage of new questions, from 0 to 100, that start with the version; the
 * others start with the current one, and 0 withdraws the share. If undefined, the version becomes
 * the current one, and the share of another version ends.
 * @returns Build id of the version; null for unversioned workers.
 * @throws Failure BadInput if there is no such version, or for a percentage of 0 if it has no
 * share; Conflict if it lacks workers for a role, or if a percentage is given for the current
 * version. The last one at once, the others after ten seconds, since the server lists workers with
 * a delay.
 */
export async function promoteVersion(
  client: Client,
  taskQueue: string,
  build?: string | null,
  percentage?: number,
): Promise<string | null> {
  const choose = async () => {
    const { name, current, ramping, versions } = await describeDeployment(client, taskQueue);
    const given = () => (build === null ? null : toPromote(versions, build, taskQueue));
    const chosen = percentage === 0 ? toTakeBack(ramping, build) : given();
    return { name, current, ramping, chosen };
  };
  await untilAppeared(() => succeeds(choose()));
  const { name, current, ramping, chosen } = await choose();
  const { workflowService, options } = client;
  const change = {
    namespace: options.namespace,
    deploymentName: name,
    identity: 'durable-rag',
    // If a queue of the last version has no workers, questions that use it keep that version.
    ignoreMissingTaskQueues: true,
  };
  const ramp = (to: string | null, share: number) =>
    workflowService.setWorkerDeploymentRampingVersion({
      ...change,
      // An empty version with a share of 0 ends the ramp.
      buildId: share === 0 ? '' : (to ?? ''),
      percentage: share,
    });
  if (percentage !== undefined) {
    if (chosen === current) throw isCurrent(chosen, taskQueue);
    await ramp(chosen, percentage);
    return chosen;
  }
  if (chosen !== current) {
    await workflowService.setWorkerDeploymentCurrentVersion({ ...change, buildId: chosen ?? '' });
  }
  if (ramping !== null && ramping.build !== chosen) await ramp(null, 0);
  return chosen;
}

/** Returns the failure for a share of the version that is already the current one. */
function isCurrent(build: string | null, taskQueue: string): Failure {
  const which = build === null ? 'workers that are not versioned' : `version ${build}`;
  return new Failure(
    'Conflict',
    `All new questions of ${taskQueue} already start with ${which}: name another version for a share of them.`,
  );
}

/**
 * Returns the build id of the version whose share is withdrawn; null for unversioned workers.
 *
 * @throws Failure BadInput if it has no share.
 */
function toTakeBack(ramping: Ramp | null, build: string | null | undefined): string | null {
  if (ramping !== null && (build === undefined || build === ramping.build)) return ramping.build;
  const which = build
    ? `version ${build}`
    : build === null
      ? 'worker without a version'
      : 'version';
  throw new Failure(
    'BadInput',
    `No ${which} has a share of new questions: ${command('deploy', 'status')} shows the versions.`,
  );
}

/** Returns the build id of the version to promote. @throws Failure as `promoteVersion`. */
function toPromote(
  versions: readonly WorkerVersion[],
  build: string | undefined,
  taskQueue: string,
): string {
  const found = versions.find((one) =>
    build === undefined
      ? one.state !== 'current' && one.workers.questions > 0
      : one.build === build,
  );
  if (!found) {
    const known = versions.map((one) => one.build).join(', ') || 'none';
    const what = build === undefined ? 'no other version with workers' : `no version ${build}`;
    throw new Failure(
      'BadInput',
      `There is ${what} of the workers of ${taskQueue} (known: ${known}); start its workers first: ${command('worker', '--versioned')}`,
    );
  }
  const missing = rolesWithoutWorkers(found);
  if (missing.length === 0) return found.build;
  throw new Failure(
    'Conflict',
    `Version ${found.build} has no workers for ${missing.join(' and ')}: questions that start with it would wait. Start them first: ${command('worker', '--versioned')}`,
  );
}
