/** The retriever over one LanceDB table, which never changes. */
import type { Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Passage, PassageRef } from '../../core/vocabulary.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { bm25, type CorpusStatistics, queryTermCounter, queryTerms } from '../bm25.js';
import { engineRetriever } from '../engine-retriever.js';
import { type PassageCache, passageCache } from '../passage-cache.js';
import { type EmbeddedCorpus, queryVector } from '../query-vector.js';
import {
  bestHits,
  bestReferences,
  compareByScore,
  documentReference,
  type Hit,
  toRef,
} from '../ranking.js';
import type { Retriever } from '../retriever.js';
import { queryText, unspacedWords } from '../terms.js';
import { loadLance, type PassageRow, SEARCHED_PARTITIONS } from './engine.js';

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

/** Returns the retriever over a table that `buildIndex` built. */
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

type BodyHit = Hit & Pick<PassageRow, 'body' | 'length'>;

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

type Scored<Column extends string> = Pick<PassageRow, 'document'> & { [C in Column]: number };

type TextRow = Pick<PassageRow, 'id' | 'title' | 'body'>;

function rowsById(table: Table, ids: readonly string[]): Promise<TextRow[]> {
  const named = table.query().where(`id IN (${ids.map(quote).join(', ')})`);
  return selected<TextRow>(named.limit(ids.length), ['id', 'title', 'body']);
}

/**
 * Returns only these columns, column by column. The library's own rows look up every value by
 * column name, which takes five times as long.
 */
async function selected<R extends object>(
  query: Query | VectorQuery,
  columns: readonly (keyof R & string)[],
): Promise<R[]> {
  const table = await query.select([...columns]).toArrow();
  const read = columns.map((name) => [name, table.getChild(name)] as const);
  return Array.from(
    { length: table.numRows },
    (_, row) => Object.fromEntries(read.map(([name, column]) => [name, column?.get(row)])) as R,
  );
}

/** Returns a SQL string literal; doubling is the only escape there is. */
function quote(id: string): string {
  return `'${id.replaceAll("'", "''")}'`;
}

function toPassage({ id, title, body }: TextRow): Passage {
  return { id, title, text: body.slice(title.length + 1) };
}
