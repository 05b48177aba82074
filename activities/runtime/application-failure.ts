/** Failures of activities, as workflows and the Temporal server see them. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Failure } from '../../core/failure.js';
import type { FailureDetail } from '../../workflows/activities/question.js';

/** Returns a failure in the form that the Temporal server takes. */
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

/**
 * Returns a failure that only postpones the activity. It is benign, so no log warns of it and no
 * failure is counted.
 */
export function comesBack(type: string, message: string, nextRetryDelay: number) {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type, message, nextRetryDelay, category });
}
