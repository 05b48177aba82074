/** The activities of a clustering job. */

import { badInput } from '../../core/options/problems.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import type {
  ClusterActivities,
  OpenedClusterJob,
  PaidClusterActivities,
} from '../../workflows/activities/clusters.js';
import { parseClusterInput } from '../../workflows/cluster-job.js';
import { countedEmbedding, embedAndStore } from '../runtime/embedding-step.js';
import { FREE_BOUNDS } from '../runtime/free-calls.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { clusterPairs } from './cluster-pairs.js';
import { pairsToEmbed, pairText } from './run-pairs.js';

/** Returns the activities of a clustering job that call no model. */
export function clusterActivities(ports: Ports): ClusterActivities {
  return {
    openClusterJob: (input) => providerCall(FREE_BOUNDS, () => openClusterJob(input, ports)),
    clusterPairs: (job) =>
      providerCall(FREE_BOUNDS, ({ signal }) => clusterPairs(job, ports, signal)),
  };
}

/** Returns the activities of a clustering job that call the embedding model. */
export function paidClusterActivities(ports: Ports): PaidClusterActivities {
  return {
    embedPairs: (from, bounds) =>
      countedEmbedding(bounds, ports.tenants, async (attempt) => {
        const { pairs, ...value } = await pairsToEmbed(from, ports);
        const { usage } = await embedAndStore(pairs.map(pairText), ports, attempt);
        return { value, usage, model: ports.embeddings.model };
      }),
  };
}

/**
 * Checks the input of a clustering job. Returns the job with its defaults, and with the number of
 * questions, the limits and the tenant of its run.
 *
 * @throws Failure BadInput naming the field; UnknownRun for a run that is not in the store.
 */
export async function openClusterJob(
  input: unknown,
  { runs, tenants }: Pick<Ports, 'runs' | 'tenants'>,
): Promise<OpenedClusterJob> {
  const job = parseClusterInput(input);
  const manifest = await runs.manifest(job.run);
  if (!manifest) throw unknownRun(job.run, ' to take documents from');
  const { limits, options, tenant } = manifest.input;
  const { task = 'openQA' } = Object(options);
  if (job.onlyWithAnswer && task !== 'openQA') {
    const what = 'is for openQA only: no document contains the answer to a claim or an utterance';
    throw badInput('onlyWithAnswer', what);
  }
  const { questions } = manifest;
  return {
    job,
    questions,
    limits,
    ...(tenant !== undefined && { tenant: tenants.shareOf(tenant) }),
  };
}
