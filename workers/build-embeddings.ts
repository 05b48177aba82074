/** Builds the configured embedding model. */

import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { createLocalEmbeddingModel, type MiniLmFiles } from '../llm/local/minilm.js';
import type { PriceTable } from '../llm/prices.js';
import type { WorkerConfig } from './config.js';

/** Timeout of a request, in milliseconds. */
const CALL_MS = 300_000;

/**
 * Returns the embedding model of a configuration: a local one, or one behind an endpoint.
 *
 * @param localFiles Returns the paths of the local model's files, which are loaded at the first
 * text.
 * @throws Failure that names the variable to change if the model cannot be used.
 */
export async function buildEmbeddings(
  { embedding, maxRetryAfterMs }: Pick<WorkerConfig, 'embedding' | 'maxRetryAfterMs'>,
  { prices }: { prices: PriceTable },
  localFiles: () => Promise<MiniLmFiles> = noLocalFiles,
): Promise<EmbeddingModel> {
  if (embedding.kind === 'local') return createLocalEmbeddingModel(localFiles);
  const { createOpenAiEmbeddings } = await import('../llm/openai/openai-embeddings.js');
  const { model, dimensions, apiKey, baseUrl } = embedding;
  return createOpenAiEmbeddings({
    model,
    dimensions,
    apiKey,
    baseUrl,
    timeoutMs: CALL_MS,
    maxRetryAfterMs,
    prices,
  });
}

async function noLocalFiles(): Promise<never> {
  throw new Failure(
    'BadInput',
    `This worker has no embedding model: set DURABLE_RAG_EMBEDDING_MODEL to one of its endpoint, or start it with "${command('worker')}", which fetches a local one.`,
  );
}
