/** Adds vectors to the rows of an index as they stream. */
import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { IndexManifest } from './manifest.js';
import { retryWithBackoff } from './retry-with-backoff.js';

/** The size of a request: well below what providers allow. */
const BATCH_TEXTS = 64;
const BATCH_CHARS = 100_000;

/**
 * Yields the rows with the vectors of their bodies, in the same order.
 *
 * @throws Failure of the embedding model: at once where a retry cannot help, else after eight
 * attempts in a row; the signal's reason when aborted.
 */
export async function* withVectors<T extends { body: string }>(
  rows: AsyncIterable<T>,
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): AsyncGenerator<T & { vector: number[] }> {
  for await (const batch of batches(rows)) {
    const bodies = batch.map(({ body }) => body);
    const vectors = await embed(bodies, embeddings, signal);
    for (const [k, row] of batch.entries()) yield { ...row, vector: vectors[k] ?? [] };
  }
}

/** Returns the manifest's part on vectors; one short text tests the model. */
export async function describeEmbeddings(
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): Promise<NonNullable<IndexManifest['embedding']>> {
  const [vector = []] = await embed(['passage'], embeddings, signal);
  const { provider, model } = embeddings;
  return { provider, model, dimensions: vector.length };
}

async function embed(
  texts: readonly string[],
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): Promise<number[][]> {
  return retryWithBackoff(async () => (await embeddings.embed(texts, signal)).vectors, signal);
}

async function* batches<T extends { body: string }>(rows: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let chars = 0;
  for await (const row of rows) {
    batch.push(row);
    chars += row.body.length;
    if (batch.length < BATCH_TEXTS && chars < BATCH_CHARS) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
