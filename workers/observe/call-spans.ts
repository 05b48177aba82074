/** Records requests to models as spans, if this process exports traces. */
import type { SpanHeaders } from '../../activities/runtime/ports.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { LanguageModel, Paid } from '../../llm/language-model.js';
import type { Reranker } from '../../llm/reranker.js';
import type { Observation } from './observation.js';

/** A request to a model as a span names it; OpenTelemetry has no operation for rerankers. */
export interface ModelRequest {
  operation: 'chat' | 'embeddings' | 'rerank';
  /** The provider of the model: a name or an address. */
  provider: string;
  model: string;
}

/** Creates the spans of requests; registered if traces are exported. */
export interface CallSpans {
  /** Returns the trace headers of the current attempt's span; undefined if it has none. */
  currentHeaders(): SpanHeaders | undefined;
  /** Makes one request within a span of its own. */
  within<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T>;
  /**
   * Records a request that was answered by batch, long after the attempt that asked.
   *
   * @param span Span of the attempt that asked, as returned by `currentHeaders` on any worker.
   * @param since Time when its activity was scheduled, in milliseconds since 1970.
   */
  record(span: SpanHeaders, request: ModelRequest, answered: Observation, since: number): void;
}

let spans: CallSpans | undefined;

/** Sets the factory of request spans for this process. */
export function traceCalls(by: CallSpans): void {
  spans = by;
}

/** Returns this process's factory of request spans; undefined without traces. */
export function callSpans(): CallSpans | undefined {
  return spans;
}

function spanned<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T> {
  return spans ? spans.within(request, send) : send();
}

/** Returns a language model that records a span for each request. */
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

/** Returns an embedding model that records a span for each request. */
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

/** Returns a reranker that records a span for each request. */
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
