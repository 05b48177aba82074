/** Turns whatever a request to an endpoint threw into a Failure with a name. Pure. */
import type { Failure, FailureType } from '../../core/failure.js';
import { type CallContext, classifyThrown, type ProviderAnswer } from '../provider-failure.js';
import { TimedOut } from '../with-timeout.js';
import { readError } from './error-body.js';

/** An answer that is an error. */
export class ErrorAnswer extends Error {
  /** @param body Its text, or its JSON. */
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers = new Headers(),
  ) {
    super(`HTTP ${status}`);
  }
}

/** No answer at all: refused, reset, a name that does not resolve. Its cause says which. */
export class NoAnswer extends Error {}

/**
 * Names a failure and says whether a retry makes sense.
 *
 * @param error What a request threw. A user's cancel is not one of them: the caller rethrows it.
 */
export function classifyError(error: unknown, context: CallContext): Failure {
  return classifyThrown(error, providerAnswer, transportType, context);
}

/** Returns the provider's answer in an error, if it came to one. */
export function providerAnswer(error: unknown): ProviderAnswer | undefined {
  if (!(error instanceof ErrorAnswer)) return undefined;
  const { status, body, headers } = error;
  return readError(status, body, (name) => headers.get(name));
}

function transportType(error: unknown): FailureType {
  if (error instanceof TimedOut) return 'Timeout';
  // The rest was thrown while the body was read: it was cut.
  return error instanceof NoAnswer ? 'Connection' : 'MalformedResponse';
}
