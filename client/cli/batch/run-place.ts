/** The runs that the command line reads, where the workers keep them. */
import type { RunStore } from '../../../results/run-store.js';
import { findElasticsearch, noElasticsearch } from '../../../temporal-dev/elasticsearch.js';
import { readConfig, type WorkerConfig } from '../../../workers/config.js';
import { openRunStore } from '../../../workers/open-results.js';
import type { Surroundings } from '../local.js';

/**
 * Works with the runs, and with the configuration that says where they are; an Elasticsearch of
 * the local stack is started for as long as it takes, where it has them and does not run.
 *
 * @throws Failure that names the variable to change when they cannot be opened.
 */
export async function withRuns<T>(
  { env, home, reporter, signal }: Surroundings,
  work: (runs: RunStore, config: WorkerConfig) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  const local =
    config.results.kind === 'elasticsearch'
      ? await findElasticsearch({ env, home, reporter, signal })
      : noElasticsearch;
  try {
    const runs = await openRunStore(config);
    try {
      return await work(runs, config);
    } finally {
      await runs.close();
    }
  } finally {
    await local.stop();
  }
}
