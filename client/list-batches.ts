/** Which batch evaluations there are. */
import type { Client, WorkflowExecutionInfo, WorkflowHandle } from '@temporalio/client';
import type { BatchProgress } from '../methods/batch/batch.js';
import type { BatchInput } from '../methods/batch/input.js';
import { queryProgress } from './query-progress.js';
import { type StuckWorkflow, stuckWorkflows } from './stuck-workflows.js';

/** A run that Temporal knows of. */
export interface BatchSummary {
  run: string;
  workflowId: string;
  /** Of the workflow: RUNNING, COMPLETED, CANCELLED, FAILED, TERMINATED. */
  status: WorkflowExecutionInfo['status']['name'];
  /** Of the last start. */
  startedAt: Date;
  endedAt: Date | undefined;
  input: BatchInput | undefined;
  /** Undefined where no worker answers. */
  progress: BatchProgress | undefined;
  /** Workflows of it that cannot go on. */
  stuck: StuckWorkflow[];
}

/** Runs started at the same time are few; what is asked of the workers here is bounded anyhow. */
const MOST = 100;

/** The newest runs of a task queue, each once, however often it was started. */
export async function listBatches(client: Client, taskQueue: string): Promise<BatchSummary[]> {
  const query = `WorkflowType = 'evaluateBatch' AND ExecutionStatus != 'ContinuedAsNew' AND TaskQueue = '${taskQueue}'`;
  const newest = new Map<string, WorkflowExecutionInfo>();
  for await (const info of client.workflow.list({ query })) {
    if (!newest.has(info.workflowId)) newest.set(info.workflowId, info);
    if (newest.size === MOST) break;
  }
  const stuck = newest.size === 0 ? [] : await stuckWorkflows(client);
  return Promise.all(
    [...newest.values()].map(async ({ workflowId, runId, status, startTime, closeTime, memo }) => ({
      run: workflowId.replace(/^eval\//, ''),
      workflowId,
      status: status.name,
      startedAt: startTime,
      endedAt: closeTime,
      input: memo?.input as BatchInput | undefined,
      stuck: stuck.filter((one) => `${one.workflowId}/`.startsWith(`${workflowId}/`)),
      progress: await progressOf(client.workflow.getHandle(workflowId, runId), status.name),
    })),
  );
}

/** A result needs no worker. */
async function progressOf(
  handle: WorkflowHandle,
  status: BatchSummary['status'],
): Promise<BatchProgress | undefined> {
  const progress: Promise<BatchProgress> =
    status === 'COMPLETED' ? handle.result() : queryProgress(handle);
  return progress.catch(() => undefined);
}
