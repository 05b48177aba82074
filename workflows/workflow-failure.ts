/**
 * Turns the failure of a step into the failure of its workflow, after its other steps have ended.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  TemporalFailure,
} from '@temporalio/workflow';
import type { QuestionFailure } from '../core/result.js';
import type { EstimatedUsage } from '../core/usage.js';
import type { FailureDetail } from './activities/question.js';

type Cause = Pick<QuestionFailure, 'type' | 'message'>;

/**
 * Returns the `type` and `message` of the failure of a step; the type is "Timeout" if no code of
 * an activity reported it.
 *
 * @throws `error` itself if the workflow was cancelled, or if it is a fault in our own code. Such
 * a fault blocks the workflow until a worker with a fix takes over.
 */
export function causeOf(error: unknown): Cause {
  if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
  const cause = activityCause(error);
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Unexpected') : 'Timeout';
  return { type, message: cause instanceof Error ? cause.message : error.message };
}

/** Returns an error handler that returns `value` for a cancellation and throws any other error. */
export function ifCancelled<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isCancellation(error)) return value;
    throw error;
  };
}

/** Returns the cause of an error that is the failure of an activity; any other error unchanged. */
export function activityCause(error: unknown): unknown {
  // A local activity, or one without a server, has no ActivityFailure around it.
  return error instanceof ActivityFailure ? error.cause : error;
}

/**
 * Returns the estimated usage (attempts, tokens and US dollars) of a failed or cancelled step that
 * gave no answer; undefined if unknown.
 */
export function estimatedOf(error: unknown): EstimatedUsage | undefined {
  return detailOf(error).estimated;
}

/**
 * Returns whether the failure of a question's preparation reports that the server has the
 * project's search attributes; false if it reports nothing.
 */
export function hasSearchAttributes(error: unknown): boolean {
  return detailOf(error).searchAttributes === true;
}

function detailOf(error: unknown): FailureDetail {
  const cause = activityCause(error);
  if (!(cause instanceof ApplicationFailure || cause instanceof CancelledFailure)) return {};
  // If a call was cancelled between two attempts, the server puts a text here.
  return Object(cause.details?.[0]) as FailureDetail;
}

/**
 * Returns the failure that ends a workflow. It is not retryable.
 *
 * @param detail Its first detail, such as the usage so far.
 */
export function finalFailure(
  { type, message }: Cause,
  detail: unknown,
  cause: unknown,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    details: [detail],
    cause: cause as Error,
  });
}

/**
 * Cancels the running calls of a question, and waits until each has reported its possible cost to
 * the ledger.
 *
 * @param error The error that ends the question. If it is a fault in our own code, nothing is
 * cancelled: the fault blocks the workflow.
 */
export async function stopCalls(
  calls: CancellationScope,
  ledger: { idle(): Promise<void> },
  error: unknown,
): Promise<void> {
  if (!(error instanceof TemporalFailure)) return;
  calls.cancel();
  await CancellationScope.nonCancellable(() => ledger.idle());
}
