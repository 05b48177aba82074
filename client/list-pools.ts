import type { Client, WorkflowHandle } from '@temporalio/client';
import type { BatchesProgress } from '../workflows/provider-batches/collector.js';
import { queryProgress } from './job.js';

/**
 * The progress of a model's provider batches, with the number of requests that wait for the next
 * batch in its pool, and since when.
 */
export interface PoolProgress extends BatchesProgress {
  /** Number of requests that are not in a batch yet; null if unknown. */
  waiting: number | null;
  /**
   * Time at which the oldest waiting request was written, in milliseconds since 1970; null if none
   * waits or it is unknown.
   */
  waitingSince: number | null;
}

/**
 * Returns the progress of each batch pool of a task queue (the model requests that wait for a
 * provider batch, by endpoint and model), sorted by name. A pool whose worker does not answer is
 * left out.
 */
export async function listPools(client: Client, taskQueue: string): Promise<PoolProgress[]> {
  const query = `WorkflowType = 'collectBatches' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  const pools: PoolProgress[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    const handle = client.workflow.getHandle(workflowId);
    const progress = await queryProgress<BatchesProgress>(handle).catch(() => undefined);
    if (progress) pools.push({ ...progress, ...(await levelOf(handle)) });
  }
  return pools.sort((a, b) => (a.pool < b.pool ? -1 : 1));
}

/**
 * Returns how many requests wait and since when, from the last heartbeat of the activity that
 * watches the pool.
 */
async function levelOf(
  handle: WorkflowHandle,
): Promise<Pick<PoolProgress, 'waiting' | 'waitingSince'>> {
  const unknown = { waiting: null, waitingSince: null };
  try {
    const { raw } = await handle.describe();
    const gathering = raw.pendingActivities?.find(
      ({ activityType }) => activityType?.name === 'gatherBatch',
    );
    const data = gathering?.heartbeatDetails?.payloads?.[0]?.data;
    if (!data) return unknown;
    const { waiting, since } = JSON.parse(Buffer.from(data).toString('utf8'));
    return { waiting: Number(waiting), waitingSince: since };
  } catch {
    // The heartbeat is encrypted, or there is no worker.
    return unknown;
  }
}
