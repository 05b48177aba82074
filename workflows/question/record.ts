import { workflowInfo } from '@temporalio/workflow';
import { traitsOf } from '../../core/failure.js';
import type { MethodResult } from '../../core/result.js';
import type { RecordRef, Tally } from '../../core/run/run.js';
import type { CallRecord } from '../../steps/call-record.js';
import { recordAnswer } from '../run/activities.js';
import { localFirst, locally } from './local-first.js';

/**
 * Puts the result with its calls into the run's store: from the workflow's own worker, so that no
 * history holds the calls, and as an activity with all of its retries where that does not succeed.
 * Written twice it stays one answer.
 *
 * @returns what the run counts. What every other question would meet as well is not recorded: the
 *   run asks this one again.
 */
export async function recordResult(
  record: RecordRef,
  result: MethodResult,
  calls: readonly CallRecord[],
): Promise<Tally> {
  const { failure, usage } = result;
  if (failure && traitsOf(failure.type).common) {
    return { id: record.id, outcome: 'failed', scores: {}, usage, failure };
  }
  const startedAt = workflowInfo().startTime.getTime();
  const answer = [record, result, failure ?? null, startedAt, calls] as const;
  return localFirst(
    () => locally.recordAnswer(...answer),
    () => recordAnswer(...answer),
  );
}
