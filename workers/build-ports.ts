/** The composition root: builds the ports of activities from the configuration. */

import { RequestPool } from '../activities/provider-batches/pool.js';
import type { OfflinePorts } from '../activities/runtime/ports.js';
import { createPromptLibrary } from '../activities/runtime/prompts.js';
import { tenantCalls } from '../activities/runtime/tenant-calls.js';
import { LONGEST_CALL_SECONDS } from '../core/settings.js';
import { snapshots } from '../evaluation/dataset/snapshots.js';
import { metricRegistry, rubricsIn } from '../evaluation/metrics/registry.js';
import { methodRegistry } from '../interpreters/methods.js';
import { batchesOf } from '../llm/batch-endpoint.js';
import { EmbeddingCache } from '../llm/embedding-cache.js';
import type { LanguageModel } from '../llm/language-model.js';
import { loadPrices, type PriceTable } from '../llm/prices.js';
import { tokenLimiter } from '../llm/rates/token-limiter.js';
import { RerankCache } from '../llm/rerank-cache.js';
import type { Reranker } from '../llm/reranker.js';
import { ResponseCache } from '../llm/response-cache.js';
import { openSearch, type SearchEngine } from '../retrieval/open-search.js';
import { withOwnCorpora } from '../retrieval/own-corpora.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { registeredSteps } from '../steps/rubric.js';
import { confirmations } from '../stores/confirmations.js';
import { contentStore } from '../stores/content-store.js';
import { demonstrationSets } from '../stores/demonstration-sets.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { folderId, storeId } from '../stores/store-id.js';
import { parseStoreUrl } from '../stores/store-url.js';
import { tenantAccounts } from '../stores/tenant-accounts.js';
import { Transcripts } from '../stores/transcripts.js';
import type { StoreIds } from '../workflows/queue/store-ids.js';
import { modelQueue } from '../workflows/queue/task-queues.js';
import { buildEmbeddings } from './build-embeddings.js';
import type { WorkerConfig } from './config.js';
import { loadTenants } from './load-tenants.js';
import { spannedEmbeddings, spannedModel, spannedReranker } from './observe/call-spans.js';
import {
  CONFIRMATIONS_NAMESPACE,
  DATASETS_NAMESPACE,
  EMBEDDINGS_NAMESPACE,
  type Namespace,
  openNamespace,
  openRunStore,
  PASSAGES_NAMESPACE,
  POOL_NAMESPACE,
  TENANTS_NAMESPACE,
  TEXTS_NAMESPACE,
} from './store-namespaces.js';
import type { OwnParts } from './worker-options.js';

/**
 * Opens the stores and indexes and makes the models that activities need, each from the custom
 * part if there is one, else from the configuration. Returns all ports except those of the
 * Temporal server (`ports`), the ids of the stores (`stores`), and a function that closes what was
 * opened (`close`).
 *
 * @param scope Id of the Temporal namespace, which distinguishes the task queue from those of the
 * same name elsewhere.
 * @throws Failure that names the variable to change if a part cannot be used.
 */
export async function buildPorts(config: WorkerConfig, own: OwnParts = {}, scope?: string) {
  const methods = methodRegistry(own.methods);
  const metrics = metricRegistry(own.metrics);
  const steps = registeredSteps({ ...own, metrics: rubricsIn(metrics) });
  const calls = {
    timeoutMs: LONGEST_CALL_SECONDS * 1000,
    maxRetryAfterMs: config.maxRetryAfterMs,
    prices: await loadPrices(config.prices, own.prices),
  };
  const tenants = await loadTenants(config.tenants, own.tenants);
  const asked = own.model ?? (await endpointModel(config, calls));
  const reranking = own.reranker ?? (await endpointReranker(config, calls));
  const vectors = own.embeddings ?? (await buildEmbeddings(config, calls, own.localEmbeddings));
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(opened.map((part) => part.close()));
  };
  function kept<T extends { close(): Promise<void> }>(part: T): T {
    opened.push(part);
    return part;
  }
  const open = async (namespace: Namespace) =>
    kept(await openNamespace(config, namespace, own.store));
  try {
    const responses = new ResponseCache(await open('responses'));
    await responses.probe();
    const passages = await open(PASSAGES_NAMESPACE);
    const runs = own.results ?? kept(await openRunStore(config, own.store));
    const datasets = await open(DATASETS_NAMESPACE);
    const demonstrations = await open(TEXTS_NAMESPACE);
    const texts = contentStore(demonstrations);
    const confirmed = confirmations(await open(CONFIRMATIONS_NAMESPACE));
    const embeddings = new EmbeddingCache(
      spannedEmbeddings(vectors),
      await open(EMBEDDINGS_NAMESPACE),
    );
    const reranker =
      reranking && new RerankCache(spannedReranker(reranking), await open('relevance'));
    const rates = await open('rates');
    const tokens = tokenLimiter({
      store: rates,
      queue: `${modelQueue(config.taskQueue)}${scope === undefined ? '' : `@${scope}`}`,
      ownLimit: config.tokensPerMinute,
    });
    const search = kept(await openSearch(config, embeddings));
    const corpora = withOwnCorpora(search.corpora, own.corpora);
    const isFolder = own.store === undefined && parseStoreUrl(config.storeUrl).kind === 'folder';
    const endpoint = batchesOf(asked);
    const accounts = kept(
      tenantAccounts(await openNamespace(config, TENANTS_NAMESPACE, own.store)),
    );
    const ports: Omit<OfflinePorts, 'searchAttributes'> = {
      llm: spannedModel(asked),
      responses,
      batching: endpoint && { endpoint, pool: new RequestPool(await open(POOL_NAMESPACE)) },
      tokens,
      tenants: tenantCalls(accounts, tenants),
      rateMarks: rates,
      embeddings,
      reranker,
      corpora,
      inProcess: {
        corpus: (name) => search.engine === 'lancedb' && own.corpora?.[name] === undefined,
        passages: isFolder,
      },
      describeCorpus: corpora.describe,
      datasets: snapshots(datasets),
      ownDatasets: own.datasets,
      passages: passageStore(passages),
      demonstrationSets: demonstrationSets(demonstrations),
      runs,
      confirmations: confirmed,
      texts,
      transcripts: new Transcripts(texts),
      prompts: createPromptLibrary(config.prompts, steps.prompts, texts),
      prices: calls.prices,
      defaultModel: config.defaultModel,
      usual: config.usual,
      secrets: config.secrets,
      methods,
      metrics,
      steps: steps.steps,
      actions: steps.actions,
    };
    return { ports, stores: await storeIds(config, own, { rates, passages, search }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns the ids by which workers notice that their stores differ; custom stores of runs and
 * custom corpora have none.
 */
async function storeIds(
  { results, corpora, elasticsearch }: WorkerConfig,
  own: OwnParts,
  stores: { rates: KeyValueStore; passages: KeyValueStore; search: SearchEngine },
): Promise<StoreIds> {
  const passages = await storeId(stores.passages);
  const inFolder = results.kind === 'folder' ? await folderId(results.path) : passages;
  const runs = own.results ? undefined : inFolder;
  const indexes = elasticsearch ? await stores.search.id() : await folderId(corpora);
  return {
    responses: await storeId(stores.rates),
    passages,
    ...(runs !== undefined && { results: runs }),
    ...(indexes !== undefined && { corpora: indexes }),
  };
}

/** Settings of all model endpoints. */
interface CallSettings {
  timeoutMs: number;
  maxRetryAfterMs: number;
  prices: PriceTable;
}

/**
 * Returns the model of the configured endpoint; its client package is loaded only if there is no
 * custom model.
 */
async function endpointModel(
  { apiKey, baseUrl, reasoningAllowance }: WorkerConfig,
  calls: CallSettings,
): Promise<LanguageModel> {
  const { createOpenAiModel } = await import('../llm/openai/openai-model.js');
  return createOpenAiModel({ apiKey, baseUrl, reasoningAllowance, ...calls });
}

/** Returns the reranker of the configured endpoint; undefined if none is configured. */
async function endpointReranker(
  { reranker }: WorkerConfig,
  calls: CallSettings,
): Promise<Reranker | undefined> {
  if (reranker === undefined) return undefined;
  const { createRerankEndpoint } = await import('../llm/openai/rerank-endpoint.js');
  return createRerankEndpoint({ ...reranker, ...calls });
}
