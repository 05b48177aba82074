/** Records requests to models as spans, if this process exports traces. */
import type { SpanHeaders } from '../../activities/runtime/ports.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { LanguageModel, Paid } from '../../llm/language-model.js';
import type { Reranker } from '../../llm/reranker.js';
import type { Observation } from './observation.js';

/**
 * A request to a model, as its span describes it: the operation, the provider and the model.
 * "rerank" is our own word, since OpenTelemetry has no operation for rerankers.
 */
export interface ModelRequest {
  operation: 'chat' | 'embeddings' | 'rerank';
  /** The provider of the model: a name or an address. */
  provider: string;
  model: string;
}

/**
 * The functions that create the OpenTelemetry spans of model requests, in a process that exports
 * traces.
 */
export interface CallSpans {
  /** Returns the trace headers of the current attempt's span; undefined if it has none. */
  currentHeaders(): SpanHeaders | undefined;
  /** Makes one request within a span of its own. */
  within<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T>;
  /**
   * Records the span of a request that was answered by a batch, long after the attempt that made
   * it.
   *
   * @param span Headers of that attempt's span, from `currentHeaders` on any worker.
   * @param since Time at which its activity was scheduled, in milliseconds since 1970.
   */
  record(span: SpanHeaders, request: ModelRequest, answered: Observation, since: number): void;
}

let spans: CallSpans | undefined;

/** Sets the functions that create the spans of model requests in this process. */
export function setCallSpans(by: CallSpans): void {
  spans = by;
}

/**
 * Returns an object with the functions that create the spans of model requests in this process;
 * undefined if no traces are exported.
 */
export function callSpans(): CallSpans | undefined {
  return spans;
}

/** Returns the answer of a request, which has a span of its own if traces are exported. */
function spanned<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T> {
  return spans ? spans.within(request, send) : send();
}

/**
 * Returns a language model that calls the given one, with a span for each request if traces are
 * exported. It lacks the model's `batches`, so it cannot send provider batches.
 */
export function spannedModel(llm: LanguageModel): LanguageModel {
  const { provider } = llm;
  return {
    provider,
    complete: (request, signal) =>
      spanned({ operation: 'chat', provider, model: request.model }, () =>
        llm.complete(request, signal),
      ),
  };
}

/**
 * Returns an embedding model that calls the given one, with a span for each request if traces are
 * exported.
 */
export function spannedEmbeddings(vectors: EmbeddingModel): EmbeddingModel {
  const { provider, model } = vectors;
  return {
    provider,
    model,
    get dimensions() {
      return vectors.dimensions;
    },
    async embed(texts, signal) {
      const send = () => vectors.embed(texts, signal);
      // No request is made if there are no texts.
      return texts.length === 0
        ? send()
        : spanned({ operation: 'embeddings', provider, model }, send);
    },
  };
}

/**
 * Returns a reranker that calls the given one, with a span for each request if traces are
 * exported.
 */
export function spannedReranker(reranker: Reranker): Reranker {
  const { provider, model } = reranker;
  return {
    provider,
    model,
    async score(query, documents, signal) {
      const send = () => reranker.score(query, documents, signal);
      return documents.length === 0
        ? send()
        : spanned({ operation: 'rerank', provider, model }, send);
    },
  };
}
