/** Opens the runs for the command line, in the store that the workers use. */

import { openResults, type Results } from '../../client/open-results.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import { readConfig, type WorkerConfig } from '../../workers/config.js';
import { openRunStore } from '../../workers/store-namespaces.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { withElasticsearch } from '../with-search.js';

/**
 * Runs some work with the runs, and with the configuration that says where they are.
 *
 * @throws Failure that names the variable to change if they cannot be opened.
 */
export async function withRuns<T>(
  context: CliContext,
  work: (runs: RunStore, config: WorkerConfig) => Promise<T>,
): Promise<T> {
  const config = readConfig(context.env, context.config);
  const own = context.config?.results;
  if (own) return work(own, config);
  return closing(openRunStore(config, context.config?.store), (runs) => work(runs, config));
}

/**
 * Works with the runs and the texts that they read; an Elasticsearch of the local stack that has
 * them and does not run is started for as long as it takes.
 */
export async function withResults<T>(
  context: CliContext,
  work: (results: Results) => Promise<T>,
): Promise<T> {
  const { elasticsearch } = readConfig(context.env, context.config);
  return withElasticsearch(elasticsearch !== undefined, context, () =>
    closing(openResults(context.env, context.config), work),
  );
}

/** Returns the place of the results, in words. */
export function placeOf({ results }: WorkerConfig): string {
  return results.kind === 'folder' ? results.path : 'the store';
}
