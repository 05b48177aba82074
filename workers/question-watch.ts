/** How workflows of questions have ended, as the Temporal server tells it. */
import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { QuestionWatch } from '../activities/runtime/ports.js';
import { described, usageUntilStopped } from '../client/job.js';
import { eachOf } from '../core/each-of.js';
import type { Ending } from '../core/run/run.js';
import type { Ended } from '../workflows/activities/run.js';
import { endingByFailure, endingByResult } from '../workflows/run/ending.js';

/** Looked at together, so that a wide window does not flood the server. */
const AT_ONCE = 20;

export function questionWatch({ workflow }: Pick<Client, 'workflow'>): QuestionWatch {
  async function endingOfOne(workflowId: string): Promise<Ending | undefined> {
    // Without a run id this is the newest run of the id, the one that is under way if one is.
    const handle = workflow.getHandle(workflowId);
    try {
      const { status } = await handle.describe();
      return status.name === 'RUNNING' ? undefined : endingByResult(await handle.result());
    } catch (error) {
      if (error instanceof WorkflowFailedError) {
        const ending = endingByFailure(error.cause);
        // Told from its history, by whichever worker is there.
        const usage = isStopped(ending) ? await usageUntilStopped(handle) : undefined;
        return { ...ending, ...(usage && { usage }) };
      }
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return { failure: { type: 'NotFound', message: error.message, step: null } };
    }
  }

  return {
    async isRunning({ workflowId, runId }) {
      const found = await described(workflow.getHandle(workflowId, runId));
      return found?.status.name === 'RUNNING';
    },
    async ended(workflowIds, signal) {
      const ended: Ended[] = [];
      await eachOf(workflowIds, AT_ONCE, async (workflowId) => {
        signal.throwIfAborted();
        const ending = await endingOfOne(workflowId);
        if (ending) ended.push({ workflowId, ending });
      });
      return ended;
    },
  };
}

/** Only where a workflow was ended from outside: else it has said itself what it took. */
function isStopped({ tally, usage, failure }: Ending): boolean {
  return !tally && !usage && (failure?.type === 'Cancelled' || failure?.type === 'Terminated');
}
