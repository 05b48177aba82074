import { ANSWER_BYTES, answerLimit } from '../bounded-fetch.js';
import type { Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { promptOnly } from '../read-usage.js';
import type { Relevance, Reranker } from '../reranker.js';
import { fields, NO_TOKENS } from '../response-fields.js';
import { readAnswer, readBill } from './answer.js';
import { createEndpointClient, type EndpointOptions } from './client.js';

/** Options of a reranker and of the connection to its endpoint. */
export interface RerankEndpointOptions extends EndpointOptions {
  /** URL with or without /rerank at its end, such as https://api.jina.ai/v1/rerank. */
  baseUrl: string;
  model: string;
}

/** Bytes of the longest character in JSON; some servers send the documents back. */
const ESCAPED_BYTES = 6;

/**
 * Returns a reranker behind a /rerank endpoint. Each `score` is exactly one HTTP request, or none
 * if there are no documents.
 *
 * @throws Failure BadInput if the URL cannot be read.
 * @example
 * const baseUrl = 'http://127.0.0.1:8080/v1';
 * const reranker = createRerankEndpoint({ baseUrl, model: 'bge', timeoutMs: 60_000, prices });
 */
export function createRerankEndpoint(options: RerankEndpointOptions): Reranker {
  const { model } = options;
  const { client, endpoint, ask } = createEndpointClient(options, 'rerank');
  return {
    provider: endpoint.provider,
    model,
    async score(query, documents, signal) {
      if (documents.length === 0) return { scores: [], usage: NO_TOKENS, costUsd: 0 };
      const sent = documents.reduce((sum, { length }) => sum + length, 0);
      const bound = answerLimit(ANSWER_BYTES + sent * ESCAPED_BYTES);
      const body = { model, query, documents: [...documents], top_n: documents.length };
      return ask(
        model,
        signal,
        (both) => client.post<unknown>('/rerank', { body, signal: both, ...bound }),
        (answer, context, pricing) => readRelevance(answer, documents.length, context, pricing),
      );
    },
  };
}

/**
 * Returns the scores in an answer with status 200, in the order of the documents.
 *
 * @throws Failure MalformedResponse unless there is one number for each document; the failure of an
 * error sent with status 200.
 */
function readRelevance(
  body: unknown,
  count: number,
  context: CallContext,
  pricing: Pricing,
): Relevance {
  const answer = readAnswer(body, context);
  const scores = new Map<unknown, number>();
  for (const result of Array.isArray(answer.results) ? answer.results : []) {
    const { index, relevance_score } = fields(result);
    if (typeof relevance_score === 'number') scores.set(index, relevance_score);
  }
  const ordered = Array.from({ length: count }, (_, index) => scores.get(index));
  const known = ordered.filter((score) => score !== undefined);
  if (known.length < count) {
    const reply = `It contains scores for ${known.length} of ${count} documents.`;
    throw failure('MalformedResponse', context, { reply: typeof body === 'string' ? body : reply });
  }
  // Cohere reports the tokens besides billed units.
  const { input_tokens } = fields(fields(answer.meta).tokens);
  const reported = { ...answer, usage: promptOnly(answer.usage, input_tokens) };
  const { usage, costUsd, isStated } = readBill(reported, context, pricing).paid;
  return { scores: known, usage, costUsd, ...(isStated && { isStated }) };
}
