/** Gives the rows of an index their vectors as they go by. */
import { setTimeout as wait } from 'node:timers/promises';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { Failure } from '../methods/failure.js';
import type { PassageRow } from './lancedb/engine.js';

/** In one request: well below what providers allow, in texts and in tokens. */
const BATCH_TEXTS = 64;
const BATCH_CHARS = 100_000;

/** A build is no workflow: what a provider refuses for the moment is asked again here. */
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 1000;

/**
 * The rows with the vectors of their bodies, in the same order.
 *
 * @throws Failure of the embedding model: at once where a retry cannot help, else after six
 * attempts in a row; the signal's reason when aborted.
 */
export async function* withVectors(
  rows: AsyncIterable<PassageRow>,
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): AsyncGenerator<PassageRow> {
  for await (const batch of batches(rows)) {
    const bodies = batch.map(({ body }) => body);
    const vectors = await embedPatiently(bodies, embeddings, signal);
    for (const [k, row] of batch.entries()) yield { ...row, vector: vectors[k] ?? [] };
  }
}

/** The vectors of texts, however often it takes. */
export async function embedPatiently(
  texts: readonly string[],
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): Promise<number[][]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await embeddings.embed(texts, signal)).vectors;
    } catch (error) {
      if (!(error instanceof Failure) || !error.retryable || attempt === ATTEMPTS) throw error;
      await wait(error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

async function* batches(rows: AsyncIterable<PassageRow>): AsyncGenerator<PassageRow[]> {
  let batch: PassageRow[] = [];
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
