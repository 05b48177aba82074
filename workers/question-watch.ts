/**
 * Asks the Temporal server about workflows of questions and runs: which are running, and how others
 * ended.
 */
import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { QuestionWatch } from '../activities/runtime/ports.js';
import { descriptionOf, usageUntilStopped } from '../client/job.js';
import { forEachLimited } from '../core/each-of.js';
import type { WorkflowEnding } from '../core/run/run.js';
import type { EndedWorkflow } from '../workflows/activities/run.js';
import { endingByFailure, endingByResult } from '../workflows/run/ending.js';

/** Workflows described at a time, so that many do not flood the server. */
const AT_ONCE = 20;

/** Time in milliseconds for which a count of runs is reused, so that not every question asks. */
const COUNT_KEPT_MS = 5_000;

/**
 * Returns functions that query the Temporal server about workflows of questions and runs: whether
 * a given one is running (`isRunning`), the results or failures of those among given ids that have
 * ended (`ended`), and how many runs of a tenant are running on a task queue (`runsOf`, up to 5 s
 * old).
 */
export function workflowQueries({ workflow }: Pick<Client, 'workflow'>): QuestionWatch {
  /** Returns how a workflow ended; undefined while it is running. */
  async function endingOfOne(workflowId: string): Promise<WorkflowEnding | undefined> {
    // Without a run id this is the newest run of the id, which is the running one if there is one.
    const handle = workflow.getHandle(workflowId);
    try {
      const { status } = await handle.describe();
      return status.name === 'RUNNING' ? undefined : endingByResult(await handle.result());
    } catch (error) {
      if (error instanceof WorkflowFailedError) {
        const ending = endingByFailure(error.cause);
        // Computed from its history, by any worker.
        const usage = isStopped(ending) ? await usageUntilStopped(handle) : undefined;
        return { ...ending, ...(usage && { usage }) };
      }
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return { failure: { type: 'NotFound', message: error.message, step: null } };
    }
  }

  const counts = new Map<string, { count: Promise<number>; at: number }>();

  return {
    runsOf(tenant, taskQueue) {
      const query = `WorkflowType = 'evaluateRun' AND ExecutionStatus = 'Running' AND QaTenant = '${tenant}' AND TaskQueue = '${taskQueue}'`;
      const known = counts.get(query);
      if (known && Date.now() - known.at < COUNT_KEPT_MS) return known.count;
      const count = workflow.count(query).then(({ count }) => count);
      counts.set(query, { count, at: Date.now() });
      return count;
    },
    async isRunning({ workflowId, runId }) {
      const found = await descriptionOf(workflow.getHandle(workflowId, runId));
      return found?.status.name === 'RUNNING';
    },
    async ended(workflowIds, signal) {
      const ended: EndedWorkflow[] = [];
      await forEachLimited(workflowIds, AT_ONCE, async (workflowId) => {
        signal.throwIfAborted();
        const ending = await endingOfOne(workflowId);
        if (ending) ended.push({ workflowId, ending });
      });
      return ended;
    },
  };
}

/**
 * Returns whether a workflow was cancelled or terminated from outside, so that it did not report
 * its usage.
 */
function isStopped({ tally, usage, failure }: WorkflowEnding): boolean {
  return !tally && !usage && (failure?.type === 'Cancelled' || failure?.type === 'Terminated');
}
