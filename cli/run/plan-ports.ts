/** Opens the stores and corpora of the workers for planning a run, without writing or calling a model. */
import type { OfflinePorts } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import { isLocalProvider, readEndpoint } from '../../llm/openai/endpoint.js';
import type { Pricing } from '../../llm/prices.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { isInstalled, notInstalled } from '../../stores/optional-parts.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { unwrittenStore } from '../../stores/unwritten-store.js';
import { hasEndpoint } from '../../temporal-dev/local-model.js';
import { buildPorts } from '../../workers/build-ports.js';
import { readConfig } from '../../workers/config.js';
import { openNamespace } from '../../workers/store-namespaces.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { withSearch } from '../with-search.js';
import { expectedEnvironment } from '../worker-environment.js';

/**
 * Calls `work` with the ports of this environment's workers and their prices, and returns its
 * result. The model cannot be called, and writes go to memory only. A missing sample corpus is
 * indexed first.
 *
 * @param kept Manifest of the run that is planned again; its endpoint is used if none is
 * configured.
 * @throws Failure that names the variable to change if a part cannot be opened.
 */
export async function withPlanPorts<T>(
  context: CliContext,
  kept: Pick<RunManifest, 'provider'> | undefined,
  work: (ports: OfflinePorts, pricing: Pricing) => Promise<T>,
): Promise<T> {
  const config = readConfig(expectedEnvironment(context), context.config);
  const { baseUrl } = config;
  const endpoint = kept && !hasEndpoint(context.env) ? kept : readEndpoint(baseUrl);
  const { provider } = context.config?.model ?? endpoint;
  return withSearch(context, async (search) => {
    const engine = config.elasticsearch ? 'elasticsearch' : 'lancedb';
    // Questions that bring their own passages can be planned without an engine.
    const hasEngine = await isInstalled(engine);
    if (hasEngine) await ensureSampleCorpus(search);
    const building = buildPorts(config, {
      ...context.config,
      model: { provider, complete: () => Promise.reject(new Error('A plan asks no model.')) },
      store: async (name) =>
        unwrittenStore(await openNamespace(config, name, context.config?.store)),
    });
    const planned = closing(building, ({ ports }) => {
      const pricing = { prices: ports.prices, isLocal: isLocalProvider(provider) };
      return work({ ...ports, searchAttributes: false }, pricing);
    });
    return planned.catch((error: unknown) => {
      const isUnknown = error instanceof Failure && error.type === 'UnknownCorpus';
      throw isUnknown && !hasEngine ? notInstalled(engine, error) : error;
    });
  });
}
