import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type { RunInput } from '../core/run/input.js';
import type { StudyPlan } from '../core/study/plan.js';

const ASKING = ['evaluateRun', 'evaluateStudy'];

/**
 * Returns the names and hashes of data sets in the inputs of schedules and of running runs and
 * studies, including those of a study's runs that have not begun.
 */
export async function datasetsInUse(client: Client): Promise<Set<string>> {
  const used = new Set<string>();
  const add = (input: unknown) => {
    const { dataset, runs = [] } = Object(input) as Partial<RunInput> & Partial<StudyPlan>;
    if (typeof dataset === 'string') used.add(dataset);
    runs.forEach(add);
  };
  for await (const { scheduleId, action } of client.schedule.list()) {
    if (!ASKING.includes(action?.workflowType ?? '')) continue;
    const schedule = await client.schedule.getHandle(scheduleId).describe().catch(noneIfGone);
    add(schedule?.action.args?.[0]);
  }
  const types = ASKING.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  for await (const { memo } of client.workflow.list({ query })) add(memo?.input ?? memo?.plan);
  return used;
}

/** Maps the error of a schedule that was deleted since it was listed to undefined. */
function noneIfGone(error: unknown): undefined {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
