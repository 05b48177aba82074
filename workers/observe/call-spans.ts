/** Gives requests to models spans, if this process has traces. */
import type { SpanHeaders } from '../../activities/runtime/ports.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { LanguageModel, Paid } from '../../llm/language-model.js';
import type { Reranker } from '../../llm/reranker.js';
import type { Observation } from './observation.js';

/** What a request asks for, by the names of OpenTelemetry; a reranker has no name there. */
export interface ModelRequest {
  operation: 'chat' | 'embeddings' | 'rerank';
  /** As the model's port has it: a name, or an address. */
  provider: string;
  model: string;
}

/** Makes spans; registered if traces are wanted. */
export interface CallSpans {
  /** Names the span of the attempt under way; undefined if it has none. */
  here(): SpanHeaders | undefined;
  /** Makes one request within a span of its own. */
  within<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T>;
  /**
   * Tells of an answer by batch, which comes when the attempt that asked has long ended.
   *
   * @param span Of the attempt that asked, as `here` has named it on whichever worker.
   * @param since When its activity was scheduled, in milliseconds since 1970.
   */
  tell(span: SpanHeaders, request: ModelRequest, answered: Observation, since: number): void;
}

let spans: CallSpans | undefined;

/** Has this process make spans from now on. */
export function traceCalls(by: CallSpans): void {
  spans = by;
}

/** Returns undefined if there are no traces. */
export function callSpans(): CallSpans | undefined {
  return spans;
}

function spanned<T extends Paid>(request: ModelRequest, send: () => Promise<T>): Promise<T> {
  return spans ? spans.within(request, send) : send();
}

/** Returns the model, each request of which has a span. */
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

/** Returns the model, each request of which has a span. */
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
      // No request is made for no texts.
      return texts.length === 0
        ? send()
        : spanned({ operation: 'embeddings', provider, model }, send);
    },
  };
}

/** Returns the reranker, each request of which has a span. */
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
