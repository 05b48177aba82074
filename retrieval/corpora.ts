import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { connect, TABLE_NAME } from './lancedb/engine.js';
import { tableRetriever } from './lancedb/table-retriever.js';
import { readTermStatistics } from './lancedb/term-statistics.js';
import {
  type CorpusName,
  checkIndexName,
  completeBuilds,
  corpusVersion,
  type IndexManifest,
  indexNames,
  indexPaths,
  manifestStamp,
  readManifest,
  splitCorpusName,
} from './manifest.js';
import { checkMode } from './query-vector.js';
import { goneBuild, unknownCorpus } from './ranking.js';
import type { Corpora, Retriever } from './retriever.js';

export interface IndexedCorpora extends Corpora {
  /** Returns the manifests of all readable indexes, by name; an unreadable one is left out. */
  list(): Promise<IndexManifest[]>;
  /** Returns the manifest of one. @throws Failure UnknownCorpus. */
  describe(name: string): Promise<IndexManifest>;
}

interface OpenIndex {
  stamp: string;
  manifest: IndexManifest;
  /** The version of its content. */
  version: string;
  retriever: Retriever;
}

/**
 * Attempts of opening an index, which may be replaced between reading its manifest and its files.
 */
const ATTEMPTS = 3;

/**
 * Returns the LanceDB corpora under a folder, which need not exist. Indexes are opened at first
 * use. Retrievers stay valid after a rebuild: each call checks whether the index was replaced (one
 * file stat), and uses the new one.
 *
 * @param embeddings Embeds the queries of dense and hybrid search.
 * @example const hits = await (await openCorpora(folder).open('sample')).search('telephone', 5);
 */
export function openCorpora(folder: string, embeddings?: EmbeddingModel): IndexedCorpora {
  const opened = new Map<string, Promise<OpenIndex>>();
  /** Earlier builds, by name and version. */
  const kept = new Map<string, Promise<OpenIndex>>();

  async function openBuild(manifest: IndexManifest, stamp: string): Promise<OpenIndex> {
    const build = indexPaths(folder, manifest.name).build(manifest.build);
    const table = await (await connect(build)).openTable(TABLE_NAME);
    const statistics = await readTermStatistics(build);
    const retriever = tableRetriever(table, { ...manifest, statistics }, embeddings);
    return { stamp, manifest, version: corpusVersion(manifest), retriever };
  }

  async function openIndex(name: string, stamp: string): Promise<OpenIndex> {
    for (let attempt = 1; ; attempt++) {
      const before = attempt === 1 ? stamp : await manifestStamp(folder, name);
      const manifest = await readManifest(folder, name);
      if (before === undefined || manifest === undefined) {
        throw unknownCorpus(name, await indexNames(folder));
      }
      try {
        return await openBuild(manifest, before);
      } catch (cause) {
        if (attempt < ATTEMPTS) continue;
        throw new Failure(
          'UnknownCorpus',
          `The index of corpus ${name} is damaged. Build it again: ` +
            command('index', manifest.source, '--into', name),
          { cause },
        );
      }
    }
  }

  /** @throws Failure UnknownCorpus when it is gone. */
  async function openKept({ stamp, manifest: served }: OpenIndex, version: string) {
    const builds = await completeBuilds(folder, served.name);
    const manifest = builds.find((build) => corpusVersion(build) === version);
    if (!manifest) throw goneBuild(served);
    return openBuild(manifest, stamp);
  }

  async function current(name: string): Promise<OpenIndex> {
    const stamp = await manifestStamp(folder, name);
    if (stamp === undefined) throw unknownCorpus(name, await indexNames(folder));
    const known = opened.get(name);
    if (known !== undefined && (await known).stamp === stamp) return known;
    // Callers at the same time share one opening.
    if (known !== opened.get(name)) return current(name);
    const opening = openIndex(name, stamp);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  }

  /** Returns the served build if it has this content, or else an earlier one that still exists. */
  async function indexOf({ name, version }: CorpusName): Promise<OpenIndex> {
    // A build that is named by its content never changes.
    const known = version === undefined ? undefined : await opened.get(name);
    if (known !== undefined && known.version === version) return known;
    const served = await current(name);
    if (version === undefined || served.version === version) return served;
    const key = `${name} ${version}`;
    const opening = kept.get(key) ?? openKept(served, version);
    kept.set(key, opening);
    opening.catch(() => kept.delete(key));
    return opening;
  }

  /** Runs on the current index; once more if it was replaced meanwhile. */
  async function use<T>(
    corpus: CorpusName,
    call: (retriever: Retriever) => Promise<T>,
  ): Promise<T> {
    const { name, version } = corpus;
    for (let attempt = 1; ; attempt++) {
      const index = await indexOf(corpus);
      try {
        return await call(index.retriever);
      } catch (error) {
        kept.delete(`${name} ${version}`);
        const replaced = (await manifestStamp(folder, name)) !== index.stamp;
        if (!replaced || attempt === ATTEMPTS) throw error;
        await current(name);
      }
    }
  }

  return {
    async open(pinned, mode = 'bm25') {
      const corpus = splitCorpusName(pinned);
      checkIndexName(corpus.name);
      const { manifest } = await indexOf(corpus);
      checkMode(manifest, mode, embeddings);
      return {
        search: (...query) => use(corpus, (retriever) => retriever.search(...query)),
        get: (ids) => use(corpus, (retriever) => retriever.get(ids)),
      };
    },
    async list() {
      const names = await indexNames(folder);
      const read = await Promise.all(
        names.map((name) => readManifest(folder, name).catch(() => undefined)),
      );
      return read.filter((manifest) => manifest !== undefined);
    },
    async describe(name) {
      checkIndexName(name);
      const known = await opened.get(name)?.catch(() => undefined);
      if (known && known.stamp === (await manifestStamp(folder, name))) return known.manifest;
      const manifest = await readManifest(folder, name);
      if (manifest === undefined) throw unknownCorpus(name, await indexNames(folder));
      return manifest;
    },
  };
}
