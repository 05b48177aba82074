/** Turns an error of the `openai` client into a named Failure. Pure. */
import { APIConnectionTimeoutError, APIError } from 'openai';
import type { Failure, FailureType } from '../../core/failure.js';
import { type ErrorAnswer, readError } from '../error-answer.js';
import { type CallContext, classifyThrown } from '../provider-failure.js';
import { TimedOut } from '../with-timeout.js';

/**
 * Returns the failure for an error that the `openai` client threw, with its type and whether a
 * retry makes sense.
 *
 * @param error The client's error. The caller rethrows a user's cancellation itself.
 */
export function classifyError(error: unknown, context: CallContext): Failure {
  return classifyThrown(error, providerAnswer, transportType, context);
}

/** Returns the provider's error answer inside an error; undefined if it has none. */
export function providerAnswer(error: unknown): ErrorAnswer | undefined {
  if (!(error instanceof APIError) || error.status === undefined) return undefined;
  const { status, headers, message } = error as APIError<number, Headers>;
  // The client puts the status before the text, and has a phrase for an empty body.
  const text = message.replace(new RegExp(`^${status} `), '').replace('status code (no body)', '');
  return readError(error.error ?? text, status, headers);
}

/** Returns the type of an error that contains no answer of the provider. */
function transportType(error: unknown): FailureType {
  if (error instanceof TimedOut || error instanceof APIConnectionTimeoutError) return 'Timeout';
  // There was no answer: connection refused, reset, or an unknown host.
  if (error instanceof APIError) return 'Connection';
  // Other errors occur while reading the body: it was cut, or is not JSON.
  return 'MalformedResponse';
}
