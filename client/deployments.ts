/** The versions of a task queue's workers: which is the current one, and what still needs the others. */

import type { Client } from '@temporalio/client';
import { command } from '../core/command.js';
import { Failure, succeeds } from '../core/failure.js';
import { ROLES, type Role } from '../core/roles.js';
import { deploymentOf } from '../workflows/queue/task-queues.js';
import { GRPC, grpcCode } from './grpc-code.js';
import { lastPollOf, presentPollers, untilAppeared } from './recent-pollers.js';

/**
 * - current: new questions begin with it;
 * - waiting: it has never been the current one, or nothing of it is left to be told from that;
 * - draining: questions that began with it are under way;
 * - drained: none is any more, and its workers can be stopped.
 */
export type VersionState = 'current' | 'waiting' | 'draining' | 'drained';

/** Processes that poll, by part of the work. */
export type Pollers = Record<Role, number>;

/** A version of the workers, and what is under way with it. */
export interface WorkerVersion {
  build: string;
  state: VersionState;
  /** ISO time of the first worker of it. */
  createdAt: string;
  /** Workflows under way that stay with it: questions, runs, jobs. */
  open: number;
  workers: Pollers;
}

/** The versions of the workers of a task queue. */
export type Deployment = Awaited<ReturnType<typeof describeDeployment>>;

/** Of WorkerVersioningMode in Temporal's API; the client package re-exports no enums. */
const VERSIONED = 2;

export async function describeDeployment(client: Client, taskQueue: string) {
  const name = deploymentOf(taskQueue);
  const [info, pollers] = await Promise.all([
    deploymentInfo(client, name),
    pollersOf(client, taskQueue),
  ]);
  const current = info?.routingConfig?.currentDeploymentVersion?.buildId || null;
  const versions = (info?.versionSummaries ?? []).map(async (one): Promise<WorkerVersion> => {
    const build = one.deploymentVersion?.buildId ?? '';
    const open = await openOf(client, name, build);
    const wasCurrent = one.firstActivationTime != null || one.drainageInfo != null;
    return {
      build,
      state: build === current ? 'current' : stateOf(open, wasCurrent),
      createdAt: new Date(Number(one.createTime?.seconds ?? 0) * 1000).toISOString(),
      ...{ open, workers: countOf(pollers, build) },
    };
  });
  const newest = (await Promise.all(versions)).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return {
    ...{ taskQueue, name },
    /** The build that new questions begin with; null where workers are not versioned. */
    current,
    /** Newest first. */
    versions: newest,
    unversioned: countOf(pollers, undefined),
    /** Parts whose workers have no place free, since when: milliseconds since 1970. */
    full: fullOf(pollers),
  };
}

/** Of a version that is not the current one. */
function stateOf(open: number, wasCurrent: boolean): VersionState {
  if (open > 0) return 'draining';
  return wasCurrent ? 'drained' : 'waiting';
}

/** What the server knows of the deployment; undefined where it knows of none. */
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

/** Returns how many workflows under way stay with a version. */
async function openOf({ workflowService, options }: Client, name: string, build: string) {
  const { count } = await workflowService.countWorkflowExecutions({
    namespace: options.namespace,
    query: `${pinnedTo(name, build)} AND ExecutionStatus = 'Running'`,
  });
  return Number(count ?? 0);
}

/** Returns a query of the server's index for the workflows that stay with a version. */
export function pinnedTo(deployment: string, build: string): string {
  return `TemporalWorkerDeploymentVersion = '${deployment}:${build}' AND TemporalWorkflowVersioningBehavior = 'Pinned'`;
}

interface Poller {
  role: Role;
  /** Undefined where the worker is not versioned. */
  build: string | undefined;
  /** When it took the last that it had a place for, in milliseconds since 1970; undefined if it polls. */
  fullSince: number | undefined;
}

/** Returns the parts whose workers have no place free, with the time since when the first has none. */
function fullOf(pollers: readonly Poller[]): Partial<Record<Role, number>> {
  const full = ROLES.flatMap((role) => {
    const times = pollers.filter((one) => one.role === role).map(({ fullSince }) => fullSince);
    const since = times.filter((time) => time !== undefined);
    return times.length > 0 && since.length === times.length ? [[role, Math.min(...since)]] : [];
  });
  return Object.fromEntries(full);
}

/** Who polls the queues of each part. */
async function pollersOf(
  { connection, options: { namespace } }: Client,
  taskQueue: string,
): Promise<Poller[]> {
  const found = await presentPollers({ connection, namespace }, taskQueue);
  return found.map(({ role, poller, isFull }): Poller => {
    const { deploymentOptions } = poller;
    const isVersioned = deploymentOptions?.workerVersioningMode === VERSIONED;
    const build = (isVersioned && deploymentOptions?.buildId) || undefined;
    return { role, build, fullSince: isFull ? lastPollOf(poller) : undefined };
  });
}

function countOf(pollers: readonly Poller[], build: string | undefined): Pollers {
  const count = (role: Role) =>
    pollers.filter((one) => one.role === role && one.build === build).length;
  return { questions: count('questions'), models: count('models'), retrieval: count('retrieval') };
}

/**
 * Returns the parts without workers, which questions wait for. Workers for everything poll the
 * queue of searches as well: where nobody does, all workers for questions leave their searches to
 * others.
 */
export function missingOf({ workers }: Pick<WorkerVersion, 'workers'>): Role[] {
  return ROLES.filter((role) => workers[role] === 0);
}

export async function promoteVersion(
  client: Client,
  taskQueue: string,
  build?: string | null,
): Promise<string | null> {
  const choose = async () => {
    const { name, current, versions } = await describeDeployment(client, taskQueue);
    return {
      ...{ name, current },
      chosen: build === null ? null : toPromote(versions, build, taskQueue),
    };
  };
  await untilAppeared(() => succeeds(choose()));
  const { name, current, chosen } = await choose();
  if (chosen !== current) {
    const { workflowService, options } = client;
    await workflowService.setWorkerDeploymentCurrentVersion({
      namespace: options.namespace,
      deploymentName: name,
      buildId: chosen ?? '',
      identity: 'durable-rag',
      // If a queue of the last version has no workers, questions that use it keep that version.
      ignoreMissingTaskQueues: true,
    });
  }
  return chosen;
}

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
  const missing = missingOf(found);
  if (missing.length === 0) return found.build;
  throw new Failure(
    'Conflict',
    `Version ${found.build} has no workers for ${missing.join(' and ')}: questions that begin with it would wait. Start them first: ${command('worker', '--versioned')}`,
  );
}
