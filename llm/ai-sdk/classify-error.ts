/** Turns an error of an AI SDK model into a named Failure. Pure. */
import { parseJson } from '../../core/canonical-json.js';
import type { Failure, FailureType } from '../../core/failure.js';
import { type ErrorAnswer, readError } from '../error-answer.js';
import { type CallContext, classifyThrown, failureInside } from '../provider-failure.js';
import { type Fields, fields } from '../response-fields.js';

/** Failure types of SDK errors that carry no answer of the provider, by the error's name. */
const NAMED: Readonly<Record<string, FailureType>> = {
  AI_LoadAPIKeyError: 'Authentication',
  AI_LoadSettingError: 'BadInput',
  AI_NoSuchModelError: 'UnknownModel',
  AI_InvalidArgumentError: 'BadRequest',
  AI_InvalidPromptError: 'BadRequest',
  AI_UnsupportedFunctionalityError: 'BadRequest',
  AI_UnsupportedModelVersionError: 'BadInput',
  AI_EmptyResponseBodyError: 'MalformedResponse',
  AI_InvalidResponseDataError: 'MalformedResponse',
  AI_JSONParseError: 'MalformedResponse',
  AI_TypeValidationError: 'MalformedResponse',
  AI_NoContentGeneratedError: 'MalformedResponse',
  AbortError: 'Timeout',
  TimeoutError: 'Timeout',
  ResponseAborted: 'Timeout',
};

/** Timeout codes, undici's among them, which ends a request after five minutes without a byte. */
const TIMEOUT_CODES = /^(UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/;

/**
 * Returns the failure for an error that an AI SDK model threw, with its type and whether a retry
 * makes sense.
 *
 * @param error The model's error. The caller rethrows a user's cancellation itself.
 */
export function classifyError(error: unknown, context: CallContext): Failure {
  return failureIn(error, context) ?? classifyThrown(error, providerAnswer, typeOf, context);
}

/**
 * Returns the failure in the body of an answer that the SDK could not read; undefined if there is
 * none.
 */
function failureIn(error: unknown, context: CallContext): Failure | undefined {
  if (!isCallError(error) || Number(error.statusCode) >= 300) return undefined;
  const { responseBody } = error;
  const body = typeof responseBody === 'string' ? parseJson(responseBody) : undefined;
  return body === undefined ? undefined : failureInside(body, context);
}

/** Returns the provider's error answer inside an error; undefined if it has none. */
function providerAnswer(error: unknown): ErrorAnswer | undefined {
  if (!isCallError(error)) return undefined;
  const { statusCode: status, responseBody, isRetryable } = error;
  if (typeof status !== 'number' || status < 300) return undefined;
  const body = typeof responseBody === 'string' ? responseBody : error.message;
  const headers = lowerCased(fields(error.responseHeaders));
  return {
    ...readError(parseJson(body) ?? (body || error.message), status, headers),
    // The SDK retries certain statuses; if a provider says otherwise, it has a reason.
    shouldRetry: isRetryable === retriedByStatus(status) ? undefined : isRetryable === true,
  };
}

/** Returns the type of an error that contains no answer of the provider. */
function typeOf(error: unknown): FailureType {
  const codes = chain(error).map((inner) => text(fields(inner).code));
  if (codes.some((code) => TIMEOUT_CODES.test(code))) return 'Timeout';
  if (codes.includes('ERR_MODULE_NOT_FOUND')) return 'BadInput';
  // A status below 300 means an unreadable body; without a status there was no answer.
  if (isCallError(error))
    return error.statusCode === undefined ? 'Connection' : 'MalformedResponse';
  const name = error instanceof Error ? error.name : '';
  return NAMED[name] ?? 'Unexpected';
}

/**
 * Returns whether an error is the SDK's AI_APICallError, by its name: the class may come from
 * another copy of the package.
 */
function isCallError(error: unknown): error is Error & Fields {
  return error instanceof Error && error.name === 'AI_APICallError';
}

function retriedByStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function lowerCased(headers: Fields): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), text(value)]));
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns an error and its chain of causes, outermost first. */
function chain(error: unknown): unknown[] {
  const inner = error instanceof Error ? error.cause : undefined;
  return inner === undefined || inner === error ? [error] : [error, ...chain(inner)];
}
