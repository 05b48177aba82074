/** Builds the embedding model that the configuration names. */
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { createLocalEmbeddingModel } from '../llm/local/minilm.js';
import { createOpenAiEmbeddings } from '../llm/openai/openai-embeddings.js';
import { loadPrices } from '../llm/prices.js';
import { homeFolder } from '../stores/home.js';
import { obtainEmbeddingModel } from '../temporal-dev/embedding-model.js';
import type { Reporter } from '../temporal-dev/reporter.js';
import type { WorkerConfig } from './config.js';

/** The namespace of the store that vectors are kept in. */
export const EMBEDDINGS = 'embeddings';

const CALL_MS = 300_000;

export interface EmbeddingsOptions {
  config: WorkerConfig;
  env: NodeJS.ProcessEnv;
  /** Told of the download of the local model, which is fetched when it is first used. */
  reporter: Reporter;
  signal?: AbortSignal | undefined;
}

/** @throws Failure that names the variable to change when the model cannot be used. */
export async function buildEmbeddings(options: EmbeddingsOptions): Promise<EmbeddingModel> {
  const { config, env, reporter, signal } = options;
  if (config.embedding.kind === 'local') {
    const context = { home: homeFolder(env), env, reporter, signal };
    return createLocalEmbeddingModel(() => obtainEmbeddingModel(context));
  }
  const { model, dimensions, apiKey, baseUrl } = config.embedding;
  return createOpenAiEmbeddings({
    ...{ model, dimensions, apiKey, baseUrl },
    timeoutMs: CALL_MS,
    maxRetryAfterMs: config.maxRetryAfterMs,
    prices: await loadPrices(config.prices),
  });
}
