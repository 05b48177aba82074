/** Opens the runs for the command line, in the store that the workers use. */

import { openResults, type Results } from '../../client/open-results.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import { readConfig, type WorkerConfig } from '../../workers/config.js';
import { openRunStore } from '../../workers/store-namespaces.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { withElasticsearch } from '../with-search.js';

/**
 * Calls `work` with the store of stored runs and the configuration, returns its result, and closes
 * the store. A store in the config file stays open.
 *
 * @throws Failure that names the variable to change if it cannot be opened.
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
 * Calls `work` with the stored runs, corpora, passages, texts and prompts, returns its result, and
 * closes them. The local stack's Elasticsearch is started for that time if the passages are in it
 * and it is not running.
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

/** Returns the place of the results for messages: the path of the folder, or "the store". */
export function resultsPlace({ results }: WorkerConfig): string {
  return results.kind === 'folder' ? results.path : 'the store';
}
