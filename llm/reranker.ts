/** The reranker port: a query and documents in, how well each fits out, by a cross-encoder. */
import type { Paid } from './language-model.js';

/** How well documents fit a query, with what telling it cost. */
export interface Relevance extends Paid {
  /** One a document, in their order; the higher, the better it fits. */
  scores: number[];
}

/** A model that tells how well documents fit a query. */
export interface Reranker {
  /** Identifies the endpoint in cache keys; holds no secret. */
  readonly provider: string;
  readonly model: string;
  /**
   * Makes at most one request to the provider, and none for no documents.
   *
   * @throws Failure with the type that tells whether a retry makes sense.
   */
  score(query: string, documents: readonly string[], signal: AbortSignal): Promise<Relevance>;
}
