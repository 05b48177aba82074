import type { Client } from '@temporalio/client';
import { datasetLabel } from '../core/run/dataset-input.js';
import {
  type ClusterInput,
  type ClusterProgress,
  type ClusterSummary,
  parseClusterInput,
} from '../workflows/cluster-job.js';
import { type JobHandle, startJob } from './job.js';

export type ClusterHandle = JobHandle<ClusterSummary, ClusterProgress>;

/**
 * Starts the job, or joins it while it is under way. An ended one is made again; the response cache
 * serves what has not changed.
 */
export async function startClusters(
  client: Client,
  taskQueue: string,
  input: ClusterInput,
  workflowId?: string,
): Promise<ClusterHandle> {
  const { name, dataset } = parseClusterInput(input);
  return startJob(client, {
    workflow: 'genreadClusters',
    idPrefix: `genread-clusters-${name}`,
    workflowId,
    taskQueue,
    input,
    summary: `${datasetLabel(dataset)} into the demonstration set ${name}`,
  });
}
