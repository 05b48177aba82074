import type { Client } from '@temporalio/client';
import { canonicalJson } from '../core/canonical-json.js';
import { sha256Of } from '../core/sha256.js';
import {
  type ClusterInput,
  type ClusterProgress,
  type ClusterSummary,
  parseClusterInput,
} from '../workflows/cluster-job.js';
import { summaryLine } from '../workflows/summary-line.js';
import { type JobHandle, jobHandle } from './job.js';

/**
 * Handle of a clustering job that was started or joined: waits for its result (the stored
 * demonstration set), queries its progress in questions, cancels it.
 */
export type ClusterHandle = JobHandle<ClusterSummary, ClusterProgress>;

/**
 * Starts the job that builds GenRead's demonstration sets by clustering, or joins it if it is
 * running, and returns its handle. An ended job starts again; embeddings that are stored cost
 * nothing.
 *
 * @param workflowId Id of the workflow. @default derived from the whole input
 */
export async function startClusters(
  client: Client,
  taskQueue: string,
  input: ClusterInput,
  workflowId?: string,
): Promise<ClusterHandle> {
  const { name, run } = parseClusterInput(input);
  const hash = sha256Of(canonicalJson({ input, taskQueue }), 16);
  const id = workflowId ?? `genread-clusters-${name}-${hash}`;
  await client.workflow.start('genreadClusters', {
    workflowId: id,
    taskQueue,
    args: [input],
    staticSummary: summaryLine(`${run} into the demonstration set ${name}`),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
  return jobHandle(client.workflow.getHandle(id));
}
