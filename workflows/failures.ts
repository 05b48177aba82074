/** How the failure of a step becomes the failure of its workflow, once its other steps have ended. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  TemporalFailure,
} from '@temporalio/workflow';
import type { QuestionFailure } from '../core/result.js';
import type { Estimated } from '../core/usage.js';
import type { FailureDetail } from './activities/question.js';

type Cause = Pick<QuestionFailure, 'type' | 'message'>;

/**
 * Why a step failed.
 *
 * @throws `error` itself when the workflow was cancelled, and when it is not a step's failure but a
 *   fault in our own code: that holds the workflow until a worker with a fix takes it up.
 */
export function causeOf(error: unknown): Cause {
  if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
  const cause = ofActivity(error);
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Unexpected') : 'Timeout';
  return { type, message: cause instanceof Error ? cause.message : error.message };
}

/** For what may be cancelled: gives `value` then, and throws anything else. */
export function ifCancelled<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isCancellation(error)) return value;
    throw error;
  };
}

/** Returns what an activity has failed with. */
export function ofActivity(error: unknown): unknown {
  // Where it was local, or ran without a server, no ActivityFailure is around it.
  return error instanceof ActivityFailure ? error.cause : error;
}

/** Returns what a failed or cancelled step may have cost without an answer. */
export function estimatedOf(error: unknown): Estimated | undefined {
  return detailOf(error).estimated;
}

/** Tells whether the server has our search attributes, as a question that could not begin was told. */
export function hasAttributes(error: unknown): boolean {
  return detailOf(error).searchAttributes === true;
}

function detailOf(error: unknown): FailureDetail {
  const cause = ofActivity(error);
  if (!(cause instanceof ApplicationFailure || cause instanceof CancelledFailure)) return {};
  // The server itself says a word if a call was cancelled between two attempts.
  return Object(cause.details?.[0]) as FailureDetail;
}

/** Returns the failure that ends the workflow, with what is known as its detail. */
export function ended(
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
 * Cancels the calls that are open, and waits until each has told the ledger what it may cost.
 *
 * @param error What ends the question. A fault in our own code holds it instead, as it is.
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
