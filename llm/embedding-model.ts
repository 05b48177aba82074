/** The interface of embedding models: texts in, vectors out. */
import type { Paid } from './language-model.js';

/** The vectors of texts, in the order of the texts, with the usage and cost of making them. */
export interface Embeddings extends Paid {
  /** One vector for each text, in their order, all of the same length. */
  vectors: number[][];
}

/**
 * A model that turns texts into vectors. It belongs to the workers, and questions cannot choose
 * another, because the vectors of an index and of its queries must come from the same model.
 */
export interface EmbeddingModel {
  /** Identifies the endpoint in cache keys and manifests; contains no secret. */
  readonly provider: string;
  /** Name of the model; an index stores it with its vectors. */
  readonly model: string;
  /** Length of the vectors; undefined if it is neither asked for nor known before the first. */
  readonly dimensions?: number | undefined;
  /**
   * Makes at most one request, none if there are no texts. The provider limits the texts in a
   * request; a few hundred short ones are accepted everywhere.
   *
   * @throws Failure whose type tells whether a retry makes sense.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}
