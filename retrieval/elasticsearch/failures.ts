/** Maps the errors of the Elasticsearch client to failures. */
import { errors } from '@elastic/elasticsearch';
import { z } from 'zod';
import { command } from '../../core/command.js';
import { Failure, type FailureType, messageOf } from '../../core/failure.js';
import { AnswerTooLong } from '../../llm/bounded-fetch.js';
import { retryAfterMs } from '../../llm/retry-after.js';

const MAX_RETRY_AFTER_MS = 60_000;

const detail = z.object({ type: z.string().catch(''), reason: z.string().catch('') });
const answer = z.object({
  error: z.union([
    z.string(),
    detail.extend({
      root_cause: z.array(detail).catch([]),
      failed_shards: z.array(z.object({ reason: detail })).catch([]),
    }),
  ]),
});

/** An error response of Elasticsearch: its HTTP status, its type, and its reason in words. */
export interface ElasticsearchErrorResponse {
  /** HTTP status. */
  status: number;
  /** Type, such as `index_not_found_exception`; empty if unknown. */
  type: string;
  /** Reason in words; empty if unknown. */
  reason: string;
}

/**
 * Returns the failure for any error of the Elasticsearch client; a failure is returned unchanged.
 *
 * @param address Address of the server, for the message.
 */
export function elasticsearchFailure(error: unknown, address: string): Failure {
  if (error instanceof Failure) return error;
  const at = `Elasticsearch at ${address}`;
  const fail = (type: FailureType, message: string, retryable?: boolean) =>
    new Failure(type, `${at} ${message}`, { cause: error, retryable });
  if (error instanceof errors.ResponseError) return responseFailure(toError(error), address, error);
  if (error instanceof AnswerTooLong) {
    const sent = `sent more than ${error.bytes / 1e6} MB in one answer. Check ELASTICSEARCH_URL.`;
    return fail('AnswerTooLong', sent);
  }
  if (error instanceof errors.TimeoutError) return fail('Timeout', 'did not answer in time.');
  if (error instanceof errors.ProductNotSupportedError) {
    return fail(
      'Incompatible',
      'is no Elasticsearch: something else answers. Check ELASTICSEARCH_URL.',
    );
  }
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError) {
    return connectionFailure(error, address);
  }
  if (error instanceof errors.DeserializationError) {
    return fail('MalformedResponse', `gave an answer that is not JSON: ${error.message}`);
  }
  return fail('Unexpected', `failed: ${messageOf(error)}`);
}

/**
 * Returns the failure Connection for a server that cannot be reached or is not trusted. It is
 * retryable unless the server's certificate is not trusted.
 *
 * @param address Address of the server, for the message.
 */
export function connectionFailure(error: Error, address: string): Failure {
  const at = `Elasticsearch at ${address}`;
  return /certificate|fingerprint|altnames|\bSSL\b|\bTLS\b/i.test(error.message)
    ? new Failure(
        'Connection',
        `${at} is not trusted: ${error.message}. Set ELASTICSEARCH_CA_FILE or ELASTICSEARCH_CA_FINGERPRINT.`,
        { cause: error, retryable: false },
      )
    : new Failure(
        'Connection',
        `${at} cannot be reached: ${error.message}. Check ELASTICSEARCH_URL, or start one here: ` +
          command('dev', '--search', 'elasticsearch'),
        { cause: error },
      );
}

/**
 * Returns the failure for an error response of Elasticsearch, to a whole request or to one
 * document in it.
 *
 * @param address Address of the server, for the message.
 */
export function responseFailure(
  { status, type, reason }: ElasticsearchErrorResponse,
  address: string,
  cause?: unknown,
): Failure {
  const reply = `It said: ${reason || type || `status ${status}`}`;
  const fail = (name: FailureType, message: string) =>
    new Failure(name, `Elasticsearch at ${address} ${message} ${reply}`, {
      cause,
      retryAfterMs: retryAfter(cause),
    });
  if (status === 401) {
    return fail(
      'Authentication',
      'does not know the key. Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD.',
    );
  }
  if (status === 403) return fail('Permission', 'does not allow this.');
  if (type === 'index_not_found_exception')
    return fail('UnknownCorpus', 'does not have the index.');
  if (isVersionTrouble(type, reason)) {
    return fail('Incompatible', 'has a version that this client does not support; it must be 9.');
  }
  if (status === 404 || status === 405 || status === 410) {
    return fail('Incompatible', 'lacks a function that is needed. Check ELASTICSEARCH_URL.');
  }
  if (/maxClauseCount|too_many_.*clauses/.test(`${type} ${reason}`)) {
    return fail('BadInput', 'finds too many words in the query.');
  }
  if (status === 400 && /mapp|does not exist|number of dimensions|field/i.test(reason)) {
    return fail(
      'UnknownCorpus',
      'has an index with other fields than "durable-rag index" gives it: build it again.',
    );
  }
  if (status === 408 || status === 504) return fail('Timeout', 'did not finish in time.');
  if (status === 429 || status === 502 || status === 503)
    return fail('Overloaded', 'is overloaded.');
  if (status >= 500) return fail('Unexpected', 'failed.');
  return fail('BadRequest', 'refused the request.');
}

function toError(error: InstanceType<typeof errors.ResponseError>): ElasticsearchErrorResponse {
  const status = error.statusCode ?? 0;
  const parsed = answer.safeParse(error.body);
  if (!parsed.success) return { status, type: '', reason: '' };
  const reply = parsed.data.error;
  if (typeof reply === 'string') return { status, type: '', reason: reply };
  // The outermost error is often "all shards failed"; the first inside gives the reason.
  const [inner = reply] = [
    ...reply.failed_shards.map((shard) => shard.reason),
    ...reply.root_cause,
  ];
  return { status, type: inner.type, reason: inner.reason || reply.reason };
}

/** Returns whether an older server refuses the media type that names the client's version. */
function isVersionTrouble(type: string, reason: string): boolean {
  return (
    type === 'media_type_header_exception' || /compatible version|Accept version/i.test(reason)
  );
}

function retryAfter(cause: unknown): number | undefined {
  if (!(cause instanceof errors.ResponseError)) return undefined;
  const given = Object.entries(cause.headers ?? {});
  const headers = new Map(given.map(([name, value]) => [name, String(value)]));
  const isRate = cause.statusCode === 429;
  return retryAfterMs({ headers }, { isRate, now: Date.now(), maxMs: MAX_RETRY_AFTER_MS });
}
