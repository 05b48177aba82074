/** A connection to a node that bounds the answer and its time. */
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createUnzip } from 'node:zlib';
import { errors, UndiciConnection } from '@elastic/elasticsearch';
import { Failure, messageOf } from '../../core/failure.js';
import { AnswerTooLong, inPieces, isRedirect } from '../../llm/bounded-fetch.js';

/** A page of 500 results with their chains, or as many passages. */
const ANSWER_BYTES = 64_000_000;

export const REQUEST_TIMEOUT_MS = 60_000;

type Request = typeof UndiciConnection.prototype.request;
type Params = Parameters<Request>[0];
type Options = Parameters<Request>[1];

/**
 * Counts decoded bytes, because the client bounds an answer before it unpacks it. It also bounds
 * the time until the headers and between two bytes, and refuses redirects.
 */
export class BoundedConnection extends UndiciConnection {
  // biome-ignore lint/suspicious/noExplicitAny: the client has one signature with a stream and one without.
  override async request(params: Params, options: Options): Promise<any> {
    const answer = await super.request(params, { ...options, asStream: true as const });
    const { statusCode, body, headers } = answer;
    // Errors are reported below; unhandled, they would end the process.
    body.on('error', () => {});
    if (isRedirect(statusCode)) {
      body.destroy();
      const sent = `Elasticsearch at ${this.url.origin} sends elsewhere (HTTP ${statusCode}).`;
      throw new Failure('Incompatible', `${sent} Set ELASTICSEARCH_URL to where it is itself.`);
    }
    const late = () => body.destroy(new errors.TimeoutError('Request timed out'));
    const timer = setTimeout(late, options.timeout ?? REQUEST_TIMEOUT_MS);
    const { 'content-encoding': encoding, ...rest } = headers;
    const isPacked = encoding !== undefined && params.method !== 'HEAD';
    const decoded = isPacked ? pipeline(body, createUnzip(), () => {}) : body;
    try {
      return { statusCode, headers: rest, body: await text(inPieces(decoded, ANSWER_BYTES)) };
    } catch (error) {
      if (error instanceof AnswerTooLong || error instanceof errors.TimeoutError) throw error;
      throw new errors.ConnectionError(messageOf(error));
    } finally {
      clearTimeout(timer);
    }
  }
}
