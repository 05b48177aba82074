/** Failures of activities, as workflows and the Temporal server see them. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Failure } from '../../core/failure.js';

export function applicationFailure({ type, message, retryable, retryAfterMs }: Failure) {
  return ApplicationFailure.create({
    ...{ type, message, nonRetryable: !retryable },
    ...(retryAfterMs !== undefined && { nextRetryDelay: Math.max(1, retryAfterMs) }),
  });
}

/** Nothing has gone wrong, so that no log warns of it and no count of failures has it. */
export function comesBack(type: string, message: string, nextRetryDelay: number) {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type, message, nextRetryDelay, category });
}
