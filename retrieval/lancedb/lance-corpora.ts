/** The corpora of LanceDB under a folder, and the retriever over the table of each. */
import type { Table } from '@lancedb/lancedb';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { Passage, PassageRef } from '../../core/vocabulary.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { bm25, type CorpusStatistics, queryTermCounter, queryTerms } from '../bm25.js';
import { engineRetriever, type PassageCache, passageCache } from '../engine-retriever.js';
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
} from '../manifest.js';
import { checkMode, type EmbeddedCorpus, queryVector } from '../query-vector.js';
import {
  bestHits,
  bestReferences,
  compareByScore,
  documentReference,
  goneBuild,
  type Hit,
  toRef,
  unknownCorpus,
} from '../ranking.js';
import type { Corpora, Retriever } from '../retriever.js';
import { queryText, unspacedWords } from '../terms.js';
import {
  connectLanceDb,
  type IndexedPassage,
  loadLance,
  rowsById,
  SEARCHED_PARTITIONS,
  selected,
  TABLE_NAME,
} from './engine.js';
import { readTermStatistics } from './term-statistics.js';

/**
 * The corpora of a search engine whose indexes durable-rag built: it opens one by name, and
 * returns the manifest of one or of all.
 */
export interface IndexedCorpora extends Corpora {
  /**
   * Returns the manifests of all readable indexes, sorted by name; unreadable ones are left out.
   */
  list(): Promise<IndexManifest[]>;
  /**
   * Returns the manifest of the index that is served under a name. @throws Failure UnknownCorpus.
   */
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
 * file stat), and uses the new one. Those of a name from `pinnedCorpus` stay with their build.
 *
 * @param embeddings Embeds the queries of dense and hybrid search, which are refused without it.
 * @example const hits = await (await openCorpora(folder).open('sample')).search('telephone', 5);
 */
export function openCorpora(folder: string, embeddings?: EmbeddingModel): IndexedCorpora {
  const opened = new Map<string, Promise<OpenIndex>>();
  /** Earlier builds, by name and version. */
  const kept = new Map<string, Promise<OpenIndex>>();

  async function openBuild(manifest: IndexManifest, stamp: string): Promise<OpenIndex> {
    const build = indexPaths(folder, manifest.name).build(manifest.build);
    const table = await (await connectLanceDb(build)).openTable(TABLE_NAME);
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

  /**
   * Opens the earlier build of a corpus that has this content.
   *
   * @throws Failure UnknownCorpus if it no longer exists.
   */
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

  /** Calls a retriever of the current index, and again, up to three times in all, if the index was replaced meanwhile. */
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

/**
 * Passages of the first pass that are scored again: at least this many, and this many for each
 * wanted one. The first pass has fixed k1 and b (1.2 and 0.75), so our best ones rank somewhat
 * lower in it.
 */
const FIRST_PASS = 100;
const FIRST_PASS_EACH = 2;

/** Ids asked for in one filter; keeps the expression small. */
const IDS_AT_ONCE = 200;
/** Passages found or read last: several steps of a question show the same ones. */
const SEEN = 2000;

interface TableOptions extends EmbeddedCorpus {
  passages: number;
  statistics: CorpusStatistics;
}

/**
 * Returns the retriever over the LanceDB table of one build by `buildIndex`.
 *
 * @param embeddings Embeds the queries of dense and hybrid search, which are refused without it.
 */
export function tableRetriever(
  table: Table,
  options: TableOptions,
  embeddings?: EmbeddingModel,
): Retriever {
  const { name, passages, statistics } = options;
  const seen = passageCache(SEEN);
  return engineRetriever({
    corpus: name,
    passages,
    cache: seen,
    idsAtOnce: IDS_AT_ONCE,
    byWords: (query, count) => rescored({ table, seen, statistics }, query, count),
    async byVector(query, mode, signal) {
      const vector = await queryVector(query, options, mode, embeddings, signal);
      return (count) => bestReferences(count, (limit) => nearHits(table, vector, limit));
    },
    read: async (ids) => (await rowsById(table, ids)).map(toPassage),
  });
}

/**
 * Searches by BM25 with our k1 and b: scores a wider first pass again by the statistics of the
 * corpus.
 */
async function rescored(
  { table, seen, statistics }: { table: Table; seen: PassageCache; statistics: CorpusStatistics },
  query: string,
  count: number,
): Promise<PassageRef[]> {
  const terms = queryTerms(query);
  if (terms.size === 0) return [];
  const hits = await firstPass(table, query, count);
  const score = bm25(terms, statistics);
  const countIn = queryTermCounter(terms);
  const found = hits
    .map((hit) => ({ ...hit, score: score({ length: hit.length, counts: countIn(hit.body) }) }))
    .sort(compareByScore)
    .slice(0, count);
  // Every prompt that shows them reads them next.
  for (const hit of found) seen.put(toPassage(hit));
  return found.map(toRef);
}

type BodyHit = Hit & Pick<IndexedPassage, 'body' | 'length'>;

/** Returns the hits to score again for `count` passages: more, by LanceDB's BM25. */
async function firstPass(table: Table, query: string, count: number): Promise<BodyHit[]> {
  const depth = Math.max(FIRST_PASS, FIRST_PASS_EACH * count);
  const words = queryText(query);
  const found = await bestHits(depth, (limit) => bodyHits(table, 'body', words, limit));
  const apart = unspacedWords(query).join(' ');
  if (apart === '') return found;
  const more = await bestHits(depth, (limit) => bodyHits(table, 'apart', apart, limit));
  return [...new Map([...found, ...more].map((hit) => [hit.id, hit])).values()];
}

async function bodyHits(
  table: Table,
  column: 'body' | 'apart',
  words: string,
  limit: number,
): Promise<BodyHit[]> {
  const { MatchQuery } = await loadLance();
  // A plain string would be parsed: quotes in a question become a phrase query and fail.
  const query = table.query().fullTextSearch(new MatchQuery(words, column));
  const columns = ['position', 'id', 'document', 'title', 'body', 'length', '_score'] as const;
  const rows = await selected<BodyHit & Scored<'_score'>>(query.limit(limit), columns);
  return rows.map(({ _score, document, ...hit }) => ({
    ...hit,
    ...documentReference(document),
    score: _score,
  }));
}

/** Searches by cosine, over all vectors unless they are partitioned. */
async function nearHits(table: Table, vector: number[], limit: number): Promise<Hit[]> {
  const near = table.query().nearestTo(vector).distanceType('cosine').nprobes(SEARCHED_PARTITIONS);
  const columns = ['position', 'id', 'document', 'title', '_distance'] as const;
  const rows = await selected<Hit & Scored<'_distance'>>(near.limit(limit), columns);
  return rows.map(({ _distance, document, ...hit }) => ({
    ...hit,
    ...documentReference(document),
    score: 1 - _distance,
  }));
}

type Scored<Column extends string> = Pick<IndexedPassage, 'document'> & { [C in Column]: number };

function toPassage({ id, title, body }: Pick<IndexedPassage, 'id' | 'title' | 'body'>): Passage {
  return { id, title, text: body.slice(title.length + 1) };
}
