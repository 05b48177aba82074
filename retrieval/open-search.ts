import { z } from 'zod';
import { Failure } from '../core/failure.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { withOptionalPart } from '../stores/optional-parts.js';
import { buildIndex } from './build-index.js';
import type { ElasticsearchBuild } from './elasticsearch/build.js';
import type { ElasticsearchConfig, ElasticsearchConnection } from './elasticsearch/connection.js';
import { type IndexedCorpora, openCorpora } from './lancedb/lance-corpora.js';
import type { IndexManifest } from './manifest.js';

/** An open search engine, in which corpora are built, listed and searched. */
export interface SearchEngine {
  /** Name of the engine, as in manifests. */
  readonly engine: IndexManifest['engine'];
  /** The corpora whose indexes it has. */
  corpora: IndexedCorpora;
  /**
   * Returns the id of the Elasticsearch cluster; undefined for LanceDB, or if the key may not read
   * it.
   */
  id(): Promise<string | undefined>;
  /**
   * Builds the index of a corpus file; the existing index is served until the new one is complete.
   *
   * @throws Failure BadInput for a file that cannot be indexed; BuildInProgress if the same corpus
   * is being built; the signal's reason if aborted.
   */
  build(options: ElasticsearchBuild): Promise<IndexManifest>;
  close(): Promise<void>;
}

interface SearchConfig {
  /** Folder of LanceDB's indexes. */
  corpora: string;
  /** Elasticsearch server to use instead of LanceDB. */
  elasticsearch?: ElasticsearchConfig | undefined;
}

/**
 * Opens the configured search engine: Elasticsearch if it is configured, otherwise LanceDB.
 * Elasticsearch is asked for its corpora, so that a wrong address or key is reported immediately;
 * LanceDB's folder need not exist.
 *
 * @param embeddings Embeds the queries of dense and hybrid search.
 * @throws Failure naming the variable to change if the engine cannot be used.
 */
export async function openSearch(
  { corpora: folder, elasticsearch }: SearchConfig,
  embeddings?: EmbeddingModel,
): Promise<SearchEngine> {
  if (elasticsearch === undefined) return embedded(folder, embeddings);
  const [{ connectElasticsearch }, { elasticsearchCorpora }, { buildElasticsearchIndex }] =
    await withOptionalPart('elasticsearch', () =>
      Promise.all([
        import('./elasticsearch/connection.js'),
        import('./elasticsearch/elasticsearch-corpora.js'),
        import('./elasticsearch/build.js'),
      ]),
    );
  const connection = await connectElasticsearch(elasticsearch);
  const corpora = elasticsearchCorpora(connection, embeddings);
  try {
    await corpora.list();
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    engine: 'elasticsearch',
    corpora,
    id: () => clusterId(connection),
    build: (options) => buildElasticsearchIndex(connection, options),
    close: () => connection.close(),
  };
}

function embedded(folder: string, embeddings: EmbeddingModel | undefined): SearchEngine {
  return {
    engine: 'lancedb',
    id: async () => undefined,
    corpora: openCorpora(folder, embeddings),
    async build({ analysis, ...options }) {
      const [set] = Object.entries(analysis ?? {}).find(([, value]) => value !== undefined) ?? [];
      if (set !== undefined) {
        throw new Failure(
          'BadInput',
          `--${set} is a setting of Elasticsearch: LanceDB's cannot be changed.`,
        );
      }
      return buildIndex({ ...options, folder });
    },
    close: async () => {},
  };
}

const clusterSchema = z.object({ cluster_uuid: z.string() });

/**
 * Returns the id of a cluster, which is the same on all nodes; undefined if the key may only
 * search. Does not use `GET /`, which the local stack's minimal distribution does not answer.
 */
async function clusterId(connection: ElasticsearchConnection): Promise<string | undefined> {
  try {
    const state = await connection.request((client, options) =>
      client.cluster.state({ metric: ['version'], filter_path: 'cluster_uuid' }, options),
    );
    return clusterSchema.parse(state).cluster_uuid;
  } catch (error) {
    if (error instanceof Failure && error.type === 'Permission') return undefined;
    throw error;
  }
}
