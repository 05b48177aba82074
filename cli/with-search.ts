import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { SearchEngine } from '../retrieval/open-search.js';
import { openSearch } from '../retrieval/open-search.js';
import { privateFolder } from '../stores/home.js';
import { readConfig } from '../workers/config.js';
import type { CliContext } from './context.js';
import { withElasticsearch } from './local-elasticsearch.js';

/**
 * Works with the configured engine; an Elasticsearch of the local stack is started for as long as
 * it takes, where it does not run.
 *
 * @throws Failure that names the variable to change when the engine cannot be used.
 */
export async function withSearch<T>(
  context: CliContext,
  work: (engine: SearchEngine) => Promise<T>,
  embeddings?: EmbeddingModel,
): Promise<T> {
  const config = readConfig(context.env);
  await privateFolder(context.home, context.reporter.warn);
  return withElasticsearch(config.elasticsearch !== undefined, context, async () => {
    const engine = await openSearch(config, embeddings);
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  });
}
