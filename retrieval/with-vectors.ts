/** Adds vectors to the rows of an index as they stream. */
import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { IndexManifest } from './manifest.js';
import { type RetryOptions, retryWithBackoff } from './retry-with-backoff.js';

/** Maximum size of an embedding request, well below the limits of providers. */
const BATCH = { rows: 64, chars: 100_000 };

/**
 * Yields rows with the vectors of their bodies (`vector`), in the same order. The bodies are
 * embedded in batches.
 *
 * @throws Failure of the embedding model: at once if a retry cannot help, otherwise after eight
 * attempts; the signal's reason if aborted.
 */
export async function* withVectors<T extends { body: string }>(
  rows: AsyncIterable<T>,
  embeddings: EmbeddingModel,
  retrying: RetryOptions,
): AsyncGenerator<T & { vector: number[] }> {
  for await (const batch of inBatches(rows, BATCH)) {
    const bodies = batch.map(({ body }) => body);
    const vectors = await embed(bodies, embeddings, retrying);
    for (const [k, row] of batch.entries()) yield { ...row, vector: vectors[k] ?? [] };
  }
}

/**
 * Returns the field `embedding` of an index's manifest for an embedding model: `provider`, `model`
 * and the length of its vectors (`dimensions`). Embeds one short text to find the length.
 */
export async function describeEmbeddings(
  embeddings: EmbeddingModel,
  retrying: RetryOptions,
): Promise<NonNullable<IndexManifest['embedding']>> {
  const [vector = []] = await embed(['passage'], embeddings, retrying);
  const { provider, model } = embeddings;
  return { provider, model, dimensions: vector.length };
}

async function embed(
  texts: readonly string[],
  embeddings: EmbeddingModel,
  retrying: RetryOptions,
): Promise<number[][]> {
  const ask = async () => (await embeddings.embed(texts, retrying.signal)).vectors;
  return retryWithBackoff(ask, retrying);
}

const BYTES_A_NUMBER = 8;

/**
 * Yields rows in batches, in the same order. A batch ends with the row that reaches the maximum
 * number of rows or of characters (in which a vector counts with eight per number).
 */
export async function* inBatches<T extends { body: string; vector?: number[] }>(
  rows: AsyncIterable<T>,
  most: { rows: number; chars: number },
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let chars = 0;
  for await (const row of rows) {
    batch.push(row);
    chars += row.body.length + BYTES_A_NUMBER * (row.vector?.length ?? 0);
    if (batch.length < most.rows && chars < most.chars) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
