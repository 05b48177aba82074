/** Checks that each configured service answers, for `durable-rag doctor`. */
import { temporalTarget } from '../client/temporal-target.js';
import { innermostMessage, messageOf } from '../core/failure.js';
import { boundedFetch } from '../llm/bounded-fetch.js';
import { ENDPOINT_VARIABLES, type Purpose, readEndpoint } from '../llm/openai/endpoint.js';
import { openSearch } from '../retrieval/open-search.js';
import { shownUrl } from '../stores/store-failure.js';
import { parseStoreUrl } from '../stores/store-url.js';
import type { PartFinding } from '../temporal-dev/findings.js';
import { hasEndpoint } from '../temporal-dev/local-model.js';
import { readConfig, type WorkerConfig } from '../workers/config.js';
import { openNamespace, RESPONSES_NAMESPACE } from '../workers/store-namespaces.js';
import type { CliContext } from './context.js';
import { reachServer } from './reach-server.js';

const TIMEOUT_MS = 5_000;

/**
 * Connects to each service whose address is configured, and returns an array of findings, one for
 * each: `part` (its name), `state` (`there` or `missing`), `text`, and `mend` (a remedy, if it is
 * missing). The services are a Temporal server other than the local stack's, model endpoints,
 * Elasticsearch, and the store's server; a model or store that the config file brings has none. No
 * model is asked. The store is opened as by a worker, which creates its table if it does not
 * exist.
 *
 * @throws Failure BadInput if a setting is wrong. A service that does not answer is a finding, not
 * an error.
 */
export async function connectionFindings(context: CliContext): Promise<PartFinding[]> {
  const { env, config = {} } = context;
  const settings = readConfig(env, config);
  return Promise.all([
    ...temporal(context),
    ...endpoints(settings, config, hasEndpoint(env)),
    ...search(settings, env),
    ...(config.store ? [] : store(settings)),
  ]);
}

/**
 * Returns the finding for a service: the text that `ask` returns, or the message of its error with
 * `mend` as the remedy.
 */
async function asking(
  part: string,
  mend: string,
  ask: () => Promise<string>,
): Promise<PartFinding> {
  try {
    return { part, state: 'there', text: await ask() };
  } catch (error) {
    return { part, state: 'missing', text: messageOf(error), mend };
  }
}

function temporal({ env }: CliContext): Promise<PartFinding>[] {
  const target = temporalTarget(env);
  if (target.port !== undefined) return [];
  const mend = 'check TEMPORAL_ADDRESS and related variables, and that the server is running';
  const ask = async () => {
    const connection = await reachServer(target);
    await connection.close();
    return `${target.connectConfig.address} answers, namespace ${target.namespace}`;
  };
  return [asking('Temporal', mend, ask)];
}

function endpoints(
  { apiKey, baseUrl, embedding, reranker }: WorkerConfig,
  own: Pick<NonNullable<CliContext['config']>, 'embeddings' | 'model' | 'reranker'>,
  hasModel: boolean,
): Promise<PartFinding>[] {
  const asked: Promise<PartFinding>[] = [];
  if (hasModel && !own.model) asked.push(endpoint('Model', 'chat', { apiKey, baseUrl }));
  if (embedding.kind === 'endpoint' && embedding.baseUrl !== baseUrl && !own.embeddings) {
    asked.push(endpoint('Embeddings', 'embeddings', embedding));
  }
  if (reranker && !own.reranker) asked.push(endpoint('Reranker', 'rerank', reranker));
  return asked;
}

/**
 * Returns the finding for an endpoint, by requesting its list of models. Many endpoints have none, and
 * some keys allow only calls, so any answer except a refused key shows that it is reachable.
 */
function endpoint(
  part: string,
  purpose: Purpose,
  { apiKey, baseUrl }: { apiKey?: string | undefined; baseUrl?: string | undefined },
): Promise<PartFinding> {
  const variables = ENDPOINT_VARIABLES[purpose];
  return asking(part, `check ${variables.baseUrl} and ${variables.key}`, async () => {
    const read = readEndpoint(baseUrl, purpose);
    const url = new URL(`${read.baseUrl ?? 'https://api.openai.com/v1'}/models`);
    for (const [name, value] of Object.entries(read.query)) url.searchParams.set(name, value);
    const authorization = apiKey === undefined ? read.basicAuth : `Bearer ${apiKey}`;
    const response = await boundedFetch()(url, {
      headers: authorization === undefined ? {} : { authorization },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new Error(`nothing answers at ${url.host} (${innermostMessage(error)})`);
    });
    await response.body?.cancel();
    if (response.status === 401) throw new Error(`${url.host} refuses the key (401)`);
    return `${url.host} answers`;
  });
}

function search(
  settings: WorkerConfig,
  { ELASTICSEARCH_URL, ELASTICSEARCH_CLOUD_ID }: CliContext['env'],
) {
  // Without an address, the engine is the one that `dev` starts on this machine.
  if (!settings.elasticsearch || !(ELASTICSEARCH_URL || ELASTICSEARCH_CLOUD_ID)) return [];
  const mend = 'check ELASTICSEARCH_URL and related variables, and that the server is running';
  const ask = async () => {
    const engine = await openSearch(settings);
    await engine.close();
    return 'Elasticsearch answers';
  };
  return [asking('Search', mend, ask)];
}

function store(settings: WorkerConfig): Promise<PartFinding>[] {
  const place = parseStoreUrl(settings.storeUrl);
  if (place.kind === 'folder') return [];
  const ask = async () => {
    const opened = await openNamespace(settings, RESPONSES_NAMESPACE);
    await opened.close();
    return `${shownUrl(place.url)} answers`;
  };
  return [asking('Store', 'check DURABLE_RAG_STORE, and that the server runs', ask)];
}
