/** A run that waits until a person has approved it. */
import {
  ApplicationFailure,
  condition,
  defineUpdate,
  executeChild,
  setHandler,
} from '@temporalio/workflow';
import type { evaluateRun } from 'durable-rag/workflows';

export * from 'durable-rag/workflows';

export const decide = defineUpdate<string, [boolean]>('decide');

export async function approvedRun(input: Parameters<typeof evaluateRun>[0]) {
  let approved: boolean | undefined;
  setHandler(decide, (is) => {
    approved = is;
    return is ? 'approved' : 'refused';
  });
  await condition(() => approved !== undefined, '3 days');
  if (!approved) throw ApplicationFailure.nonRetryable('Nobody approved the run.', 'NotApproved');
  const workflowId = `eval/${input.run}`;
  return executeChild<typeof evaluateRun>('evaluateRun', { workflowId, args: [input] });
}
