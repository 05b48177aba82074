/** Wraps requests to models in spans, if this process is traced. */
import type { SpanHeaders } from '../../activities/runtime/ports.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { LanguageModel, Paid } from '../../llm/language-model.js';
import type { Reranker } from '../../llm/reranker.js';
import type { Observation } from './observation.js';

/** The kind of a request, in the names of OpenTelemetry; a reranker has no name there. */
export interface ModelRequest {
  operation: 'chat' | 'embeddings' | 'rerank';
  /** The provider of the model: a name or an address. */
  provider: string;
  model: string;
}

/** Creates spans; registered if traces are wanted. */
export interface CallSpans {
  /** Returns the name of the current attempt's span; undefined if it has none. */
  here(): SpanHeaders | undefined;
  /** Makes one request within a span of its own. */
  within<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T>;
  /**
   * Records an answer by batch, which comes long after the attempt that asked.
   *
   * @param span Span of the attempt that asked, as returned by `here` on any worker.
   * @param since When its activity was scheduled, in milliseconds since 1970.
   */
  tell(span: SpanHeaders, request: ModelRequest, answered: Observation, since: number): void;
}

let spans: CallSpans | undefined;

/** Makes this process create spans from now on. */
export function traceCalls(by: CallSpans): void {
  spans = by;
}

/** Returns the span factory; undefined without traces. */
export function callSpans(): CallSpans | undefined {
  return spans;
}

function spanned<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T> {
  return spans ? spans.within(request, send) : send();
}

/** Returns the model with a span for each request. */
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

/** Returns the model with a span for each request. */
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

/** Returns the reranker with a span for each request. */
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
