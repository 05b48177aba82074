/** Failures of activities, as workflows and the Temporal server see them. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Failure } from '../../core/failure.js';
import type { Estimated } from '../../core/usage.js';

/** @param estimated What the attempts without an answer may have cost. */
export function applicationFailure(
  { type, message, retryable, retryAfterMs }: Failure,
  estimated?: Estimated,
) {
  return ApplicationFailure.create({
    ...{ type, message, nonRetryable: !retryable },
    ...(estimated && { details: [{ estimated }] }),
    ...(retryAfterMs !== undefined && { nextRetryDelay: Math.max(1, retryAfterMs) }),
  });
}

/** Nothing has gone wrong, so that no log warns of it and no count of failures has it. */
export function comesBack(type: string, message: string, nextRetryDelay: number) {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ type, message, nextRetryDelay, category });
}
