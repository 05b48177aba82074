/** The composition root: builds what activities need from the configuration. */
import { join } from 'node:path';
import type { Ports, ServerPorts } from '../activities/ports.js';
import { createPromptLibrary } from '../activities/prompts.js';
import { EmbeddingCache } from '../llm/embedding-cache.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { createOpenAiModel } from '../llm/openai/openai-model.js';
import { createRerankEndpoint } from '../llm/openai/rerank-endpoint.js';
import { loadPrices } from '../llm/prices.js';
import { tokenLimiter } from '../llm/rates/token-limiter.js';
import { RerankCache } from '../llm/rerank-cache.js';
import { ResponseCache } from '../llm/response-cache.js';
import { modelQueue } from '../methods/task-queues.js';
import { openSearch } from '../retrieval/open-search.js';
import type { SearchEngine } from '../retrieval/search-engine.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { contentStore } from '../stores/content-store.js';
import { demonstrationSets } from '../stores/demonstration-sets.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { openCounters } from '../stores/open-counters.js';
import { openStore } from '../stores/open-store.js';
import { packageRoot } from '../stores/package-root.js';
import { EMBEDDINGS } from './build-embeddings.js';
import type { WorkerConfig } from './config.js';
import { openPassages, openRunStore } from './open-results.js';

/** The longest time limits.callTimeoutSeconds allows. */
const LONGEST_CALL_MS = 3_600_000;

/**
 * Opens stores and indexes and sets up the language model.
 *
 * @throws Failure that names the variable to change when one of them cannot be used.
 */
export async function buildPorts(
  config: WorkerConfig,
  embeddingModel: EmbeddingModel,
): Promise<{
  ports: Omit<Ports, 'searchAttributes' | keyof ServerPorts>;
  search: SearchEngine;
  close(): Promise<void>;
}> {
  const calls = {
    timeoutMs: LONGEST_CALL_MS,
    maxRetryAfterMs: config.maxRetryAfterMs,
    prices: await loadPrices(config.prices),
  };
  const llm = createOpenAiModel({ apiKey: config.apiKey, baseUrl: config.baseUrl, ...calls });
  const crossEncoder = config.reranker && createRerankEndpoint({ ...config.reranker, ...calls });
  const stores: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(stores.map((store) => store.close()));
  };
  async function opened<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    const store = await opening.catch(async (error: unknown) => {
      await close();
      throw error;
    });
    stores.push(store);
    return store;
  }
  const open = (namespace: string): Promise<KeyValueStore> =>
    opened(openStore(config.storeUrl, namespace));
  const responses = await open('responses');
  const passages = await opened(openPassages(config));
  const runs = await opened(openRunStore(config));
  const demonstrations = await open('demonstrations');
  const embeddings = new EmbeddingCache(embeddingModel, await open(EMBEDDINGS));
  const reranker = crossEncoder && new RerankCache(crossEncoder, await open('relevance'));
  const tokens = tokenLimiter({
    counters: await opened(openCounters(config.storeUrl)),
    store: await open('rates'),
    queue: modelQueue(config.taskQueue),
    ownLimit: config.tokensPerMinute,
  });
  const search = await opened(openSearch(config, embeddings));
  const { corpora } = search;
  const ports = {
    llm,
    responses: new ResponseCache(responses),
    tokens,
    embeddings,
    reranker,
    corpora,
    describeCorpus: corpora.describe,
    passages: passageStore(passages),
    demonstrationSets: demonstrationSets(demonstrations),
    runs,
    texts: contentStore(demonstrations),
    prompts: createPromptLibrary(join(packageRoot(), 'prompts'), config.prompts),
    prices: calls.prices,
    defaultModel: config.defaultModel,
  };
  return { ports, search, close };
}
