/** Failures of activities, as workflows and the Temporal server see them. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Failure } from '../../core/failure.js';
import type { FailureDetail } from '../../workflows/activities/question.js';

/** Returns a failure as the Temporal server sees it. */
export function applicationFailure(
  { type, message, retryable, retryAfterMs }: Failure,
  detail?: FailureDetail,
) {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: !retryable,
    ...(detail && { details: [detail] }),
    ...(retryAfterMs !== undefined && { nextRetryDelay: Math.max(1, retryAfterMs) }),
  });
}

/** Nothing has gone wrong, so that no log warns of it and no count of failures has it. */
export function comesBack(type: string, message: string, nextRetryDelay: number) {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type, message, nextRetryDelay, category });
}
