/** Sets the rate limits of a task queue through the workflow that stores them. */
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { queueLimits as workflow } from '../workflows/queue/keep-limits.js';
import {
  type LimitRequest,
  type LimitsInForce,
  limitsWorkflowId,
} from '../workflows/queue/limits.js';
import { summaryLine } from '../workflows/summary-line.js';

/**
 * Sets or withdraws rate limits of a task queue's model calls, by an update of the workflow that
 * stores them, and returns the limits in force, by the name of the rate (such as
 * "requestsPerMinute"). Starts the workflow if it is not running; a worker must run to apply the
 * update.
 *
 * @param taskQueue Queue of the workflows, not that of the model calls.
 * @param asking Who sets the limits, and the limits per minute by rate; null withdraws one.
 */
export function askLimits(
  client: Client,
  taskQueue: string,
  asking: LimitRequest,
): Promise<LimitsInForce> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof workflow>('queueLimits', {
    workflowId: limitsWorkflowId(taskQueue),
    taskQueue,
    args: [],
    staticSummary: summaryLine(`limits of the model calls of ${taskQueue}`),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return client.workflow.executeUpdateWithStart<typeof workflow, LimitsInForce, [LimitRequest]>(
    'ask',
    {
      args: [asking],
      startWorkflowOperation,
    },
  );
}
