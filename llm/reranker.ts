/** The interface of rerankers: a cross-encoder scores how well documents fit a query. */
import type { Paid } from './language-model.js';

/**
 * The scores of documents for a query, in the order of the documents, with the usage and cost of
 * scoring.
 */
export interface Relevance extends Paid {
  /** One score for each document, in their order; higher means a better fit. */
  scores: number[];
}

/**
 * A model that scores how well documents fit a query, and reports the usage and cost of scoring. A
 * higher score means a better fit; the scale depends on the model.
 */
export interface Reranker {
  /** Identifies the endpoint in cache keys; contains no secret. */
  readonly provider: string;
  readonly model: string;
  /**
   * Makes at most one request, none if there are no documents.
   *
   * @throws Failure whose type tells whether a retry makes sense.
   */
  score(query: string, documents: readonly string[], signal: AbortSignal): Promise<Relevance>;
}
