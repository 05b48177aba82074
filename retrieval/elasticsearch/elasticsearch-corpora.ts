import { Failure } from '../../core/failure.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { IndexedCorpora } from '../lancedb/lance-corpora.js';
import { checkIndexName, corpusVersion, type IndexManifest, splitCorpusName } from '../manifest.js';
import { checkMode } from '../query-vector.js';
import { goneBuild, unknownCorpus } from '../ranking.js';
import type { Retriever } from '../retriever.js';
import type { ElasticsearchConnection } from './connection.js';
import { CorpusMoved, indexRetriever } from './index-retriever.js';
import { findIndices, indexName, isServed, readServed } from './indices.js';

/** Attempts of a search, since an alias may move between reading and searching it. */
const ATTEMPTS = 3;

/**
 * Returns the corpora of an Elasticsearch server whose indexes durable-rag built. Retrievers stay
 * valid after a rebuild: a search that finds another build than expected looks the corpus up again.
 *
 * @param embeddings Embeds the queries of dense and hybrid search, which are refused without it.
 */
export function elasticsearchCorpora(
  connection: ElasticsearchConnection,
  embeddings?: EmbeddingModel,
): IndexedCorpora {
  async function list(): Promise<IndexManifest[]> {
    const served = (await findIndices(connection, '*')).filter(isServed);
    return served.map(({ record }) => withoutState(record)).sort(byName);
  }

  async function describe(name: string): Promise<IndexManifest> {
    checkIndexName(name);
    const served = await readServed(connection, name);
    if (served !== undefined) return withoutState(served);
    const names = (await list()).map((manifest) => manifest.name);
    throw unknownCorpus(name, names, ['--search', 'elasticsearch']);
  }

  /** Returns the served build if it has this content, or else an earlier one that still exists. */
  async function findBuild(served: IndexManifest, version: string): Promise<IndexManifest> {
    if (corpusVersion(served) === version) return served;
    for (const { record } of await findIndices(connection, `${served.name}-*`)) {
      if (record?.state !== 'complete' || record.name !== served.name) continue;
      if (corpusVersion(record) === version) return withoutState(record);
    }
    throw goneBuild(served);
  }

  return {
    list,
    describe,
    async open(pinned, mode = 'bm25') {
      const { name, version } = splitCorpusName(pinned);
      let manifest = await describe(name);
      if (version !== undefined) {
        // Searched by its own name, which no other build ever has.
        const build = await findBuild(manifest, version);
        checkMode(build, mode, embeddings);
        return indexRetriever(connection, build, embeddings, indexName(build));
      }
      checkMode(manifest, mode, embeddings);

      async function use<T>(call: (retriever: Retriever) => Promise<T>): Promise<T> {
        for (let attempt = 1; ; attempt++) {
          try {
            return await call(indexRetriever(connection, manifest, embeddings));
          } catch (error) {
            if (!isStale(error)) throw error;
            const { build } = manifest;
            manifest = await describe(name);
            if (manifest.build === build || attempt === ATTEMPTS) throw error;
          }
        }
      }
      return {
        search: (...query) => use((retriever) => retriever.search(...query)),
        get: (ids) => use((retriever) => retriever.get(ids)),
      };
    },
  };
}

/** Returns whether an error may mean that the corpus was rebuilt or deleted. */
function isStale(error: unknown): boolean {
  return (
    error instanceof CorpusMoved || (error instanceof Failure && error.type === 'UnknownCorpus')
  );
}

function withoutState({
  state: _,
  ...manifest
}: IndexManifest & { state?: string }): IndexManifest {
  return manifest;
}

function byName(a: IndexManifest, b: IndexManifest): number {
  return a.name < b.name ? -1 : 1;
}
