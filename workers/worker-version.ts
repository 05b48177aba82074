/** The worker options that tell the Temporal server the version of a worker's workflows. */
import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { deploymentOf, QUEUE_TYPE } from '../workflows/queue/task-queues.js';
import { buildIdOf } from './workflow-bundle.js';

type WorkerVersion = Pick<WorkerOptions, 'buildId' | 'workerDeploymentOptions'>;

/**
 * Returns the worker options that report the version of a worker's workflows: its build id, by
 * default a hash of their code, and, if the worker is versioned, its deployment. A workflow of a
 * versioned worker and all its activities stay with the workers of its build. Empty if the worker
 * bundles its own workflows and sets none of these options.
 *
 * @param options The worker's own options, which take precedence.
 * @param bundled The workflow bundle; undefined if the worker bundles its own workflows.
 * @throws Failure BadInput for a versioned worker that bundles its own workflows, unless it sets
 * `workerDeploymentOptions`.
 */
export async function versionOptions(
  options: WorkerOptions,
  bundled: WorkflowBundleOption | undefined,
  taskQueue: string,
  versioned = false,
): Promise<WorkerVersion> {
  const { buildId, workerDeploymentOptions } = options;
  if (workerDeploymentOptions) return { workerDeploymentOptions };
  if (!bundled && versioned) {
    throw new Failure(
      'BadInput',
      'This worker bundles its workflows itself, so durable-rag does not know their version: set workerDeploymentOptions instead of "versioned" (DURABLE_RAG_VERSIONED).',
    );
  }
  if (!bundled) return buildId === undefined ? {} : { buildId };
  const build = buildId ?? (await buildIdOf(bundled));
  if (!versioned) return { buildId: build };
  return {
    workerDeploymentOptions: {
      version: { deploymentName: deploymentOf(taskQueue), buildId: build },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  };
}

/**
 * Returns the version with which new workflows of a task queue start (`deploymentName` and
 * `buildId`); undefined if they start on unversioned workers.
 */
export async function currentVersion(
  { workflowService, options }: Client,
  taskQueue: string,
): Promise<WorkerDeploymentVersion | undefined> {
  const { versioningInfo } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: QUEUE_TYPE.workflow,
  });
  const { buildId, deploymentName } = versioningInfo?.currentDeploymentVersion ?? {};
  return buildId && deploymentName ? { buildId, deploymentName } : undefined;
}

/**
 * Returns a sentence with advice if a worker of version `own` gets no new questions; undefined if
 * it does. Pure.
 *
 * @param own Version of the worker; undefined if it is not versioned.
 * @param current Version with which new questions start; undefined for unversioned workers.
 */
export function versionAdvice(
  taskQueue: string,
  own: WorkerDeploymentVersion | undefined,
  current: WorkerDeploymentVersion | undefined,
): string | undefined {
  if (own?.buildId === current?.buildId && own?.deploymentName === current?.deploymentName) {
    return undefined;
  }
  if (!own) {
    return `The questions of ${taskQueue} begin with version ${current?.buildId}; this worker is not versioned and gets none. Start it with --versioned (DURABLE_RAG_VERSIONED=true), or give new questions to workers that are not versioned again: ${command('deploy', 'promote', '--unversioned')}`;
  }
  const others = current
    ? `with version ${current.buildId}`
    : 'with workers that are not versioned';
  return `New questions of ${taskQueue} begin ${others} until this one is promoted: ${command('deploy', 'promote', own.buildId)}`;
}
