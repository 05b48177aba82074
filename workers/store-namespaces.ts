/** The namespaces of the store, how each is opened, and which may be deleted. */
import { checkedStore } from '../stores/checked-store.js';
import { deploymentNamespace } from '../stores/deployment.js';
import { encryptedStore } from '../stores/encryption/encrypted-store.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { openStore } from '../stores/open-store.js';
import { fileRuns } from '../stores/runs/file-runs.js';
import { keyValueRuns } from '../stores/runs/key-value-runs.js';
import type { RunStore } from '../stores/runs/run-store.js';
import type { WorkerConfig } from './config.js';
import type { OwnParts } from './worker-options.js';

/** Name of the key-value store's namespace of responses of language models. */
export const RESPONSES_NAMESPACE = 'responses';
/** Name of the key-value store's namespace of vectors of texts. */
export const EMBEDDINGS_NAMESPACE = 'embeddings';
/** Name of the key-value store's namespace of passages that came with questions. */
export const PASSAGES_NAMESPACE = 'passages';
/** Name of the key-value store's namespace of demonstration sets, prompt sets and transcripts. */
export const TEXTS_NAMESPACE = 'demonstrations';
/** Name of the key-value store's namespace of the questions of data sets. */
export const DATASETS_NAMESPACE = 'datasets';
const RUNS = 'runs';
/**
 * Name of the key-value store's namespace that holds the usage (tokens and cost) of each tenant,
 * one entry for each tenant and UTC day.
 */
export const TENANTS_NAMESPACE = 'tenants';
/**
 * Name of the key-value store's namespace that records on which questions the results of tunes
 * (searches for better settings) were confirmed.
 */
export const CONFIRMATIONS_NAMESPACE = 'confirmations';
/** Name of the key-value store's namespace of the requests that wait for a provider batch. */
export const POOL_NAMESPACE = 'pool';

/**
 * Array of the names of the namespaces that are caches: deleted entries are made and paid for
 * again when they are needed.
 */
export const CACHE_NAMESPACES = [RESPONSES_NAMESPACE, EMBEDDINGS_NAMESPACE, 'relevance'] as const;

/**
 * Array of the names of the namespaces whose entries must not be deleted like a cache's: data to
 * which runs and questions refer, requests that wait for a batch, limits, and tenants' accounts.
 */
export const KEPT_NAMESPACES = [
  DATASETS_NAMESPACE,
  PASSAGES_NAMESPACE,
  RUNS,
  CONFIRMATIONS_NAMESPACE,
  TEXTS_NAMESPACE,
  POOL_NAMESPACE,
  'rates',
  TENANTS_NAMESPACE,
] as const;

/** One of the names of the key-value store's namespaces. */
export type Namespace = (typeof CACHE_NAMESPACES | typeof KEPT_NAMESPACES)[number];

type StoreConfig = Pick<WorkerConfig, 'deployment' | 'keyring' | 'storeUrl'>;

/**
 * Opens a namespace of the deployment's store, or of the custom store `own`, and returns it as a
 * key-value store. The deployment's is encrypted if there are keys.
 *
 * @throws Failure BadInput if the URL or folder of the store cannot be used; Connection if its
 * server cannot be reached.
 */
export async function openNamespace(
  { storeUrl, deployment, keyring }: StoreConfig,
  name: string,
  own?: OwnParts['store'],
): Promise<KeyValueStore> {
  if (own) return checkedStore(await own(name));
  const store = await openStore(storeUrl, deploymentNamespace(name, deployment));
  return encryptedStore(store, keyring, name);
}

/**
 * Opens the store of runs, and returns it: the folder of DURABLE_RAG_RESULTS, or a namespace of
 * the key-value store.
 *
 * @param own Opens the custom key-value store; used only in the latter case.
 * @throws Failure BadInput if the URL or folder of the store cannot be used; Connection if its
 * server cannot be reached.
 */
export async function openRunStore(
  config: StoreConfig & Pick<WorkerConfig, 'results'>,
  own?: OwnParts['store'],
): Promise<RunStore & { close(): Promise<void> }> {
  const { results } = config;
  if (results.kind === 'folder') return { ...fileRuns(results.path), close: async () => {} };
  const store = await openNamespace(config, RUNS, own);
  return { ...keyValueRuns(store), close: () => store.close() };
}
