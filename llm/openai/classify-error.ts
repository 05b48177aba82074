/** Turns whatever the `openai` client threw into a Failure with a name. Pure. */
import { APIConnectionTimeoutError, APIError } from 'openai';
import type { Failure, FailureType } from '../../core/failure.js';
import { type CallContext, classifyThrown, type ProviderAnswer } from '../provider-failure.js';
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
export function providerAnswer(error: unknown): ProviderAnswer | undefined {
  if (!(error instanceof APIError) || error.status === undefined) return undefined;
  const { status, headers } = error as APIError<number, Headers>;
  const body = (error.error ?? {}) as { message?: unknown };
  const said = typeof body.message === 'string' ? body.message : error.message;
  return {
    status,
    // Other servers send numbers or null here.
    code: String(error.code ?? ''),
    type: String(error.type ?? ''),
    param: String(error.param ?? ''),
    // The client puts the status before the message, and has a phrase for a body it could not read.
    message: said.replace(new RegExp(`^${status} `), '').replace('status code (no body)', ''),
    header: (name) => headers?.get(name),
  };
}

function transportType(error: unknown): FailureType {
  if (error instanceof TimedOut || error instanceof APIConnectionTimeoutError) return 'Timeout';
  // No answer at all: refused, reset, a name that does not resolve.
  if (error instanceof APIError) return 'Connection';
  // The rest was thrown while the body was read: cut, or not JSON.
  return 'MalformedResponse';
}
