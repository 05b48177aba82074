import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type { RunInput } from '../core/run/input.js';

/** Names and hashes, as the inputs have them, of schedules and of runs under way. */
export async function datasetsInUse(client: Client): Promise<Set<string>> {
  const used = new Set<string>();
  const add = (input: unknown) => {
    const { dataset } = Object(input) as Partial<RunInput>;
    if (typeof dataset === 'string') used.add(dataset);
  };
  for await (const { scheduleId, action } of client.schedule.list()) {
    if (action?.workflowType !== 'evaluateRun') continue;
    const schedule = await client.schedule.getHandle(scheduleId).describe().catch(noneIfGone);
    add(schedule?.action.args?.[0]);
  }
  const query = "WorkflowType = 'evaluateRun' AND ExecutionStatus = 'Running'";
  for await (const { memo } of client.workflow.list({ query })) add(memo?.input);
  return used;
}

/** One that was deleted since it was listed uses nothing. */
function noneIfGone(error: unknown): undefined {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
