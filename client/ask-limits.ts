/** Sets limits of a task queue through the workflow that stores them. */
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { queueLimits as workflow } from '../workflows/queue/keep-limits.js';
import { type Asking, type LimitsInForce, limitsWorkflowId } from '../workflows/queue/limits.js';
import { summaryLine } from '../workflows/summary-line.js';

/**
 * Sets limits or withdraws them, and returns those in force. A worker applies them.
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
    staticSummary: summaryLine(`limits of the model calls of ${taskQueue}`),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return client.workflow.executeUpdateWithStart<typeof workflow, LimitsInForce, [Asking]>('ask', {
    args: [asking],
    startWorkflowOperation,
  });
}
