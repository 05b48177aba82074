/** Opens what DURABLE_RAG_RESULTS names: for workers and for the command line, which reads it. */
import { fileRuns } from '../results/file-runs.js';
import type { RunStore } from '../results/run-store.js';
import type {
  ElasticsearchConfig,
  ElasticsearchConnection,
} from '../retrieval/elasticsearch/connection.js';
import { inDeployment } from '../stores/deployment.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { WorkerConfig } from './config.js';
import { encrypted, openNamespace, PASSAGES, type StoreConfig } from './stores.js';

/**
 * Opens the runs of batch evaluations.
 *
 * @throws Failure that names the variable to change when they cannot be opened.
 */
export async function openRunStore({
  results,
  deployment,
}: Pick<WorkerConfig, 'results'> & Partial<Pick<WorkerConfig, 'deployment'>>): Promise<
  RunStore & { close(): Promise<void> }
> {
  if (results.kind === 'folder') return { ...fileRuns(results.path), close: async () => {} };
  const { openElasticsearchRuns } = await import('../results/elasticsearch-runs.js');
  return opened(results.elasticsearch, async (connection) => ({
    ...(await openElasticsearchRuns(connection, `durable-rag-${inDeployment('runs', deployment)}`)),
    close: () => connection.close(),
  }));
}

/**
 * Opens the store of the passages that come with questions. Those of a run that is in Elasticsearch
 * are there as well, and so at hand wherever it is.
 *
 * @throws Failure that names the variable to change when it cannot be opened.
 */
export async function openPassages(
  config: StoreConfig & Pick<WorkerConfig, 'results'>,
): Promise<KeyValueStore> {
  const { results, deployment, keyring } = config;
  if (results.kind === 'folder') return openNamespace(config, PASSAGES);
  const store = await opened(results.elasticsearch, async (connection) => {
    const { openElasticsearchStore } = await import('../stores/elasticsearch-store.js');
    return openElasticsearchStore(connection, inDeployment(PASSAGES, deployment));
  });
  return encrypted(store, PASSAGES, keyring);
}

/** Closes the connection again where what it is for cannot be opened. */
async function opened<T>(
  config: ElasticsearchConfig,
  open: (connection: ElasticsearchConnection) => Promise<T>,
): Promise<T> {
  const { connectElasticsearch } = await import('../retrieval/elasticsearch/connection.js');
  const connection = await connectElasticsearch(config);
  try {
    return await open(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}
