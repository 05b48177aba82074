import { openSearch, type SearchEngine } from '../retrieval/open-search.js';
import { makePrivateFolder } from '../stores/home.js';
import { findElasticsearch } from '../temporal-dev/elasticsearch.js';
import { readConfig } from '../workers/config.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';

/**
 * Calls `work` with the configured search engine, returns its result, and closes the engine. The
 * local stack's Elasticsearch is started for that time if it is needed and not running.
 *
 * @throws Failure that names the variable to change if the engine cannot be used.
 */
export async function withSearch<T>(
  context: CliContext,
  work: (engine: SearchEngine) => Promise<T>,
): Promise<T> {
  const config = readConfig(context.env);
  await makePrivateFolder(context.home, context.home, context.reporter.warn);
  return withElasticsearch(config.elasticsearch !== undefined, context, () =>
    closing(openSearch(config), work),
  );
}

/**
 * Calls `work` and returns its result. Starts the local Elasticsearch before and stops it after,
 * unless it is not needed, is already running, or the environment names another server. Downloads
 * it first if it is missing.
 *
 * @param isNeeded Whether `work` uses Elasticsearch.
 */
export async function withElasticsearch<T>(
  isNeeded: boolean,
  context: CliContext,
  work: () => Promise<T>,
): Promise<T> {
  const local = isNeeded ? await findElasticsearch(context) : undefined;
  try {
    return await work();
  } finally {
    await local?.stop();
  }
}
