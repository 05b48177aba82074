/** Maps the errors of a search service over HTTP to failures. */

import { Failure, type FailureType, innermostMessage } from '../../core/failure.js';
import { shortened } from '../../core/shortened.js';
import { AnswerTooLong, isRedirect } from '../../llm/bounded-fetch.js';
import { retryAfterMs } from '../../llm/retry-after.js';
import { QUOTED_CHARS, scrub, scrubError } from '../../llm/scrub.js';
import { TimedOut } from '../../llm/with-timeout.js';

/**
 * A search service over HTTP: its name in messages, its timeout, the longest wait that it may ask
 * for, and its secrets.
 */
export interface Service {
  /** "The search service at search.example:8080". */
  name: string;
  timeoutMs: number;
  maxRetryAfterMs: number;
  /** Values that must not appear in any text. */
  secrets: readonly string[];
}

/**
 * Returns the failure for an HTTP response with a status other than 200.
 *
 * @param body Body of the response, quoted in the message without secrets.
 */
export function statusFailure(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
  service: Service,
): Failure {
  const [type, what] = meaning(status);
  const reply =
    body.trim() === '' ? '' : ` It said: ${shortened(scrub(body, service.secrets), QUOTED_CHARS)}`;
  return new Failure(type, `${service.name} ${what} (HTTP ${status}).${reply}`, {
    retryAfterMs: retryAfterMs(
      { headers },
      { isRate: status === 429, now: Date.now(), maxMs: service.maxRetryAfterMs },
    ),
  });
}

/**
 * Returns the failure AnswerTooLong, Timeout or Connection for an HTTP response that is too large,
 * late, missing or incomplete; a Failure is returned unchanged.
 */
export function transportFailure(error: unknown, service: Service): Failure {
  if (error instanceof Failure) return error;
  const cause = scrubError(error, service.secrets);
  if (error instanceof AnswerTooLong) {
    const much = `${service.name} sent more than ${error.bytes / 1e6} MB in one answer.`;
    return new Failure('AnswerTooLong', `${much} Check the url of the retriever.`, { cause });
  }
  if (error instanceof TimedOut) {
    const seconds = service.timeoutMs / 1000;
    return new Failure('Timeout', `${service.name} did not answer within ${seconds} s.`, { cause });
  }
  const why = scrub(innermostMessage(error), service.secrets);
  // A retry meets the same certificate.
  const isTrust = /certificate|self.signed|\bSSL\b|\bTLS\b/i.test(why);
  return new Failure(
    'Connection',
    `${service.name} ${isTrust ? 'is not trusted' : 'cannot be reached'}: ${why}. ` +
      'Check that it runs, and the url of the retriever.',
    { cause, retryable: !isTrust },
  );
}

function meaning(status: number): [FailureType, string] {
  if (isRedirect(status)) {
    return ['Incompatible', 'redirects. Give the retriever the url of the service itself'];
  }
  if (status === 401) return ['Authentication', 'does not know the key. Check the headers'];
  if (status === 403) return ['Permission', 'does not allow this. Check the headers'];
  if (status === 404 || status === 410) {
    return ['UnknownCorpus', 'has nothing at the path of the url. Check the url'];
  }
  if (status === 405 || status === 415 || status === 501) {
    return ['Incompatible', 'does not take a POST of JSON. Check the url'];
  }
  if (status === 408 || status === 504) return ['Timeout', 'did not finish in time'];
  if (status === 429 || status === 502 || status === 503) return ['Overloaded', 'is overloaded'];
  return status >= 500 ? ['Unexpected', 'failed'] : ['BadRequest', 'refused the request'];
}
