/** The embedding port: texts in, vectors out, however they are made. */
import type { Paid } from './language-model.js';

/** The vectors of some texts, with what they cost. */
export interface Embeddings extends Paid {
  /** One a text, in their order, all of the same length. */
  vectors: number[][];
}

/**
 * Makes vectors of one model. The question does not choose it: the vectors of an index and of its
 * queries must come from the same model.
 */
export interface EmbeddingModel {
  /** Identifies the endpoint in cache keys and manifests; holds no secret. */
  readonly provider: string;
  /** The model's name, which an index keeps with its vectors. */
  readonly model: string;
  /** The length of the vectors, where it is asked for or known before the first. */
  readonly dimensions?: number | undefined;
  /**
   * Makes at most one request to the provider, and none for no texts. How many texts a request may
   * hold is up to the provider; a few hundred short ones are fine everywhere.
   *
   * @throws Failure with the type that tells whether a retry makes sense.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}
