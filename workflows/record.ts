/** Recording a question's result for the batch that asks it. */
import { workflowInfo } from '@temporalio/workflow';
import type { RecordRef, Tally } from '../methods/batch.js';
import { COMMON_FAILURES } from '../methods/failure.js';
import type { MethodResult } from '../methods/result.js';
import { recordAnswer } from './batch/activities.js';

/** What ends a question's workflow: its result or, where it is recorded, what a batch counts. */
export type Keep = <C>(result: MethodResult<C>) => Promise<MethodResult<C>>;

/**
 * What becomes of the result of a question that was started with `input`, which nobody has checked
 * yet. With `record` in it the result goes into the run's store, and a Tally stands in its place.
 */
export function keepOf(input: unknown): Keep {
  const record = recordOf(input);
  if (!record) return async (result) => result;
  // No caller but the batch gives `record`, and it expects the tally.
  return (async (result: MethodResult) => recorded(record, result)) as unknown as Keep;
}

function recordOf(input: unknown): RecordRef | undefined {
  const { record } = Object(input) as { record?: unknown };
  const { run, id } = Object(record) as { run?: unknown; id?: unknown };
  return typeof run === 'string' && typeof id === 'string' ? (record as RecordRef) : undefined;
}

/** What every other question would meet as well is not recorded: the batch asks this one again. */
async function recorded(record: RecordRef, result: MethodResult): Promise<Tally> {
  const { failure, usage } = result;
  if (failure && COMMON_FAILURES.has(failure.type)) {
    return { id: record.id, outcome: 'failed', scores: {}, usage, failure };
  }
  return recordAnswer(record, result, failure ?? null, workflowInfo().startTime.getTime());
}
