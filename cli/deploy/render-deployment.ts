/**
 * Describes the versions of a task queue's workers for the terminal, and chooses the next step.
 * Pure.
 */
import {
  type Deployment,
  type Pollers,
  rolesWithoutWorkers,
  type WorkerVersion,
} from '../../client/deployments.js';
import { command } from '../../core/command.js';
import { ROLES } from '../../core/roles.js';
import { table } from '../../evaluation/runs/columns.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/**
 * Returns a table with one row for each version of the workers, newest first, and a last row for
 * unversioned workers if there are any or if new questions start with them; a sentence if the
 * workers are not versioned.
 */
export function renderDeployment(deployment: Deployment): string {
  const { taskQueue, versions, unversioned } = deployment;
  if (versions.length === 0) {
    return `The workers of ${taskQueue} are not versioned: ${pollers(unversioned)}.`;
  }
  const { current, ramping } = deployment;
  const shareOf = (build: string | null) =>
    ramping?.build === build ? `ramping ${ramping.percentage} %` : undefined;
  const ofUnversioned = current === null ? 'current' : shareOf(null);
  const isShown = isServed(unversioned) || ofUnversioned !== undefined;
  return table([
    ['version', 'state', 'under way', 'workers', 'since'],
    ...versions.map(({ build, state, open, workers, createdAt }) => [
      build,
      shareOf(build) ?? state,
      String(open),
      pollers(workers),
      createdAt.slice(0, 16).replace('T', ' '),
    ]),
    ...(isShown ? [['unversioned', ofUnversioned ?? '-', '-', pollers(unversioned), '-']] : []),
  ]);
}

/**
 * Returns a sentence about which questions now start with the version that was promoted.
 *
 * @param build Build id of the version; null for unversioned workers.
 * @param percentage Share of new questions, in per cent; undefined for all.
 */
export function renderPromoted(build: string | null, percentage?: number): string {
  const which =
    build === null ? 'workers that are not versioned' : `version ${build} of the workers`;
  if (percentage === undefined) return `New questions begin with ${which}.`;
  if (percentage === 0) return `No more questions begin with ${which}.`;
  return `${percentage} % of new questions begin with ${which}.`;
}

/**
 * Returns the next step as one line, such as workers to start or stop or a version to promote;
 * undefined if there is none.
 */
export function nextForDeployment(deployment: Deployment): string | undefined {
  const { taskQueue, versions } = deployment;
  const first = waitsFor(deployment) ?? promotion(deployment);
  if (first !== undefined) return first;
  const idle = versions.find(({ state, workers }) => state === 'drained' && isServed(workers));
  if (idle) return `stop the workers of version ${idle.build}: nothing is left that began with it`;
  return versions.length === 0
    ? `${command('worker', '--versioned')}, to roll workers of ${taskQueue} by versions`
    : undefined;
}

/** Returns which workers to start for work that waits for them; undefined if no work waits. */
function waitsFor(deployment: Deployment): string | undefined {
  const { current, ramping, versions, unversioned } = deployment;
  const left = versions.find(isLeft);
  if (left) {
    return `start workers of version ${left.build} again (${rolesWithoutWorkers(left).join(', ')}): ${left.open} that began with it cannot go on`;
  }
  if (ramping !== null) {
    const workers = versions.find(({ build }) => build === ramping.build)?.workers ?? unversioned;
    const missing = rolesWithoutWorkers({ workers });
    if (missing.length > 0) {
      const which =
        ramping.build === null ? 'that are not versioned' : `of version ${ramping.build}`;
      return `start workers ${which} for ${missing.join(' and ')}: ${ramping.percentage} % of new questions begin with them; or take the share back: ${command('deploy', 'promote', '--percentage', '0')}`;
    }
  }
  const active = versions.find(({ build }) => build === current);
  const missing = active ? rolesWithoutWorkers(active) : [];
  if (active && missing.length > 0) {
    return `start workers of version ${active.build} for ${missing.join(' and ')}: ${command('worker', '--versioned')}`;
  }
  if (current !== null) return undefined;
  if (!isServed(unversioned)) {
    const promote = `, or let a version have them: ${command('deploy', 'promote')}`;
    const start = `start a worker: ${command('worker')}${versions.length === 0 ? '' : promote}`;
    return promotion(deployment) ?? start;
  }
  // If the queue has never had unversioned workers, none of them is missing.
  const without = rolesWithoutWorkers({ workers: unversioned });
  if (without.length === 0) return undefined;
  return `start a worker for ${without.join(' and ')}: ${command('worker', '--only', without.join(','))}`;
}

/**
 * Returns the command that promotes the newest version, if that was never the current one and has
 * workers for every role; otherwise undefined.
 */
function promotion({ versions: [newest] }: Deployment): string | undefined {
  const isReady = newest?.state === 'waiting' && rolesWithoutWorkers(newest).length === 0;
  return isReady ? command('deploy', 'promote', newest.build) : undefined;
}

/**
 * Returns the exit code of `deploy status`: 8 (`EXIT.unreachable`) if work waits for workers that
 * are not running, else 0.
 */
export function exitCodeOfDeployment(deployment: Deployment): ExitCode {
  return waitsFor(deployment) === undefined ? EXIT.ok : EXIT.unreachable;
}

/**
 * Returns lines for the status of a run about the workers of its task queue: the work that waits
 * for workers that are not running, and the roles whose workers are all occupied. Empty if the
 * queue has no worker and never had a versioned one; the run's own status tells that.
 */
export function renderWaiting(deployment: Deployment): string[] {
  const { taskQueue, current, versions, unversioned } = deployment;
  if (current === null && versions.length === 0 && !isServed(unversioned)) return [];
  const next = waitsFor(deployment);
  const waits = `Questions of the task queue ${taskQueue} wait for workers: ${next}.`;
  return [...(next === undefined ? [] : [waits]), ...renderFull(deployment)];
}

/** Returns a line for each role whose workers are all occupied. */
function renderFull({ taskQueue, full }: Deployment): string[] {
  return Object.entries(full).map(([role, since]) => {
    const seconds = Math.round((Date.now() - since) / 1000);
    return `The workers of the task queue ${taskQueue} have no place free for ${role}: the oldest call has been under way for at least ${seconds} s. What waits begins as calls under way end.`;
  });
}

/** Returns whether a version is draining, has open workflows, and lacks workers for a role. */
function isLeft(version: WorkerVersion): boolean {
  return (
    version.state === 'draining' && version.open > 0 && rolesWithoutWorkers(version).length > 0
  );
}

/** Returns whether there are workers for any role. */
function isServed(workers: Pollers): boolean {
  return ROLES.some((role) => workers[role] > 0);
}

/**
 * Returns the numbers of workers by role, such as "2 questions, 2 models, 2 retrieval"; "none"
 * without workers.
 */
function pollers(workers: Pollers): string {
  const there = ROLES.filter((role) => workers[role] > 0);
  return there.map((role) => `${workers[role]} ${role}`).join(', ') || 'none';
}
