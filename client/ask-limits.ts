/** Sets limits of a task queue, through the workflow that keeps them. */
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { queueLimits as workflow } from '../workflows/queue/keep-limits.js';
import { type Asking, type LimitsInForce, limitsWorkflowId } from '../workflows/queue/limits.js';
import { summaryLine } from '../workflows/summary-line.js';

/**
 * Sets limits or withdraws them; returns those in force. A worker puts them in force.
 *
 * @param taskQueue Queue of the workflows.
 */
export function askLimits(
  client: Client,
  taskQueue: string,
  asking: Asking,
): Promise<LimitsInForce> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof workflow>('queueLimits', {
    workflowId: limitsWorkflowId(taskQueue),
    taskQueue,
    args: [],
    staticSummary: summaryLine(`what the model calls of ${taskQueue} are held to`),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return client.workflow.executeUpdateWithStart<typeof workflow, LimitsInForce, [Asking]>('ask', {
    args: [asking],
    startWorkflowOperation,
  });
}
