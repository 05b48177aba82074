/** Turns whatever the `openai` client threw into a Failure with a name. Pure. */
import { APIConnectionTimeoutError, APIError } from 'openai';
import type { Failure, FailureType } from '../../core/failure.js';
import { type ErrorAnswer, readError } from '../error-answer.js';
import { type CallContext, classifyThrown } from '../provider-failure.js';
import { TimedOut } from '../with-timeout.js';

/**
 * Names a failure and says whether a retry makes sense.
 *
 * @param error What the client threw. A user's cancel is not one of them: the caller rethrows it.
 */
export function classifyError(error: unknown, context: CallContext): Failure {
  return classifyThrown(error, providerAnswer, transportType, context);
}

/** Returns the provider's answer in an error, if it came to one. */
export function providerAnswer(error: unknown): ErrorAnswer | undefined {
  if (!(error instanceof APIError) || error.status === undefined) return undefined;
  const { status, headers, message } = error as APIError<number, Headers>;
  // The client puts the status before the text, and has a phrase for a body that is empty.
  const text = message.replace(new RegExp(`^${status} `), '').replace('status code (no body)', '');
  return readError(error.error ?? text, status, headers);
}

function transportType(error: unknown): FailureType {
  if (error instanceof TimedOut || error instanceof APIConnectionTimeoutError) return 'Timeout';
  // No answer at all: refused, reset, a name that does not resolve.
  if (error instanceof APIError) return 'Connection';
  // The rest was thrown while the body was read: cut, or not JSON.
  return 'MalformedResponse';
}
