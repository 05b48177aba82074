/** The retriever port over one LanceDB table that does not change. */
import type { Table } from '@lancedb/lancedb';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import type { Passage } from '../../methods/vocabulary.js';
import { fuse } from '../fuse.js';
import { type EmbeddedCorpus, queryVector } from '../query-vector.js';
import { best, checkCount, FUSED_DEPTH, type Hit, unknownPassage } from '../ranking.js';
import type { Retriever } from '../retriever.js';
import { loadLance, type PassageRow, PROBES } from './engine.js';

/** Ids asked for in one filter; keeps the expression small. */
const IDS_AT_ONCE = 200;

export interface TableOptions extends EmbeddedCorpus {
  /** How many passages the table has. */
  passages: number;
}

/** Search and lookup over a table built by `buildIndex`. */
export function tableRetriever(
  table: Table,
  options: TableOptions,
  embeddings?: EmbeddingModel,
): Retriever {
  const { name, passages } = options;

  return {
    async search(query, k, mode = 'bm25', signal = new AbortController().signal) {
      checkCount(k);
      const wanted = Math.min(k, passages);
      const byWords = (count: number) => best(count, (limit) => wordHits(table, query, limit));
      if (mode === 'bm25') return byWords(wanted);
      if (query.trim() === '') return [];
      const vector = await queryVector(query, options, mode, embeddings, signal);
      const byVector = (count: number) => best(count, (limit) => nearHits(table, vector, limit));
      if (mode === 'dense') return byVector(wanted);
      const depth = Math.min(Math.max(k, FUSED_DEPTH), passages);
      return fuse(await Promise.all([byWords(depth), byVector(depth)])).slice(0, wanted);
    },

    async get(ids) {
      const found = new Map<string, Passage>();
      const distinct = [...new Set(ids)];
      for (let start = 0; start < distinct.length; start += IDS_AT_ONCE) {
        const rows = await rowsById(table, distinct.slice(start, start + IDS_AT_ONCE));
        for (const row of rows) found.set(row.id, toPassage(row));
      }
      return ids.map((id) => found.get(id) ?? unknownPassage(id, name));
    },
  };
}

/** By BM25. */
async function wordHits(table: Table, query: string, limit: number): Promise<Hit[]> {
  const { MatchQuery } = await loadLance();
  const rows: (Hit & { _score: number })[] = await table
    .query()
    // A plain string would be parsed: quotes in a question become a phrase query and fail.
    .fullTextSearch(new MatchQuery(query, 'body'))
    .select(['position', 'id', 'title', '_score'])
    .limit(limit)
    .toArray();
  return rows.map(({ position, id, title, _score }) => ({ position, id, title, score: _score }));
}

/** By cosine; over all vectors, unless there are so many that they are partitioned. */
async function nearHits(table: Table, vector: number[], limit: number): Promise<Hit[]> {
  const rows: (Hit & { _distance: number })[] = await table
    .query()
    .nearestTo(vector)
    .distanceType('cosine')
    .nprobes(PROBES)
    .select(['position', 'id', 'title', '_distance'])
    .limit(limit)
    .toArray();
  return rows.map(({ position, id, title, _distance }) => ({
    position,
    id,
    title,
    score: 1 - _distance,
  }));
}

async function rowsById(table: Table, ids: readonly string[]): Promise<PassageRow[]> {
  return table
    .query()
    .where(`id IN (${ids.map(quote).join(', ')})`)
    .select(['id', 'title', 'body'])
    .limit(ids.length)
    .toArray();
}

/** A SQL string literal; doubling is the only escape there is. */
function quote(id: string): string {
  return `'${id.replaceAll("'", "''")}'`;
}

function toPassage({ id, title, body }: PassageRow): Passage {
  return { id, title, text: body.slice(title.length + 1) };
}
