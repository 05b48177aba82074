/** Deletes the workflow of an ended run and those of its questions. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { forEachLimited } from '../core/each-of.js';
import { Failure } from '../core/failure.js';
import { runOf } from '../workflows/run/run-name.js';
import { GRPC, grpcCode } from './grpc-code.js';
import { describeRun } from './list-runs.js';

/** Number of parallel deletions. */
const AT_A_TIME = 20;
/**
 * Interval and limit of the wait, in milliseconds: the server deletes after it has answered,
 * usually within seconds.
 */
const POLL_MS = 200;
const WAIT_MS = 60_000;

/**
 * Deletes the histories of an ended run and of its questions, and returns the number of deleted
 * histories. Waits up to a minute until the server no longer lists them.
 *
 * @param workflowId Workflow id of the run, not its name.
 * @throws Failure Conflict while the run or one of its questions is running.
 */
export async function deleteRun(client: Client, workflowId: string): Promise<number> {
  const run = runOf(workflowId);
  const summary = await describeRun(client, workflowId);
  if (summary?.status === 'RUNNING') {
    throw new Failure('Conflict', `The run "${run}" is under way: cancel it first.`);
  }
  // Names of runs are letters, digits, ".", "_" and "-"; ids of scheduled ones also contain ":".
  const query = `(WorkflowId = '${workflowId}' OR WorkflowId STARTS_WITH '${workflowId}/')`;
  const { count: open } = await client.workflow.count(`${query} AND ExecutionStatus = 'Running'`);
  if (open > 0) {
    throw new Failure('Conflict', `${open} questions of the run "${run}" are still under way.`);
  }
  const deleted = await deleteHistories(client, query);
  // The list of workflows lags slightly behind.
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until) {
    const [known, listed] = await Promise.all([
      describeRun(client, workflowId),
      client.workflow.count(query),
    ]);
    if (!known && listed.count === 0) break;
    await sleep(POLL_MS);
  }
  return deleted;
}

/**
 * Deletes the histories of the workflows that match a visibility query, and returns the number of
 * histories found. One that is already gone is no error, and is counted too.
 */
export async function deleteHistories(client: Client, query: string): Promise<number> {
  let deleted = 0;
  await forEachLimited(
    client.workflow.list({ query }),
    AT_A_TIME,
    async ({ workflowId, runId }) => {
      deleted++;
      const { namespace } = client.options;
      const workflowExecution = { workflowId, runId };
      try {
        await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
      } catch (error) {
        // It was deleted already, by the retention or by someone else.
        if (grpcCode(error) !== GRPC.notFound) throw error;
      }
    },
  );
  return deleted;
}
