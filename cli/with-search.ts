import { openSearch, type SearchEngine } from '../retrieval/open-search.js';
import { makePrivateFolder } from '../stores/home.js';
import { findElasticsearch } from '../temporal-dev/elasticsearch.js';
import { readConfig } from '../workers/config.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';

/**
 * Runs some work with the configured engine. The local stack's Elasticsearch, if it does not run,
 * is started for that time.
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

/** Works while an Elasticsearch runs; one that does not run yet is started for as long as it takes. */
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
