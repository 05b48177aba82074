/** The retriever port over one LanceDB table that does not change. */
import type { Table } from '@lancedb/lancedb';
import { Failure } from '../../methods/failure.js';
import type { Passage, PassageRef } from '../../methods/vocabulary.js';
import type { Retriever } from '../retriever.js';
import { loadLance, type PassageRow } from './engine.js';

type Hit = Omit<PassageRow, 'body'> & { _score: number };

/** Fetched beyond k, so that most ties at rank k are seen whole at the first attempt. */
const TIE_MARGIN = 10;
/** Ids asked for in one filter; keeps the expression small. */
const IDS_AT_ONCE = 200;

export interface TableOptions {
  /** Names the corpus in messages. */
  name: string;
  /** How many passages the table has. */
  passages: number;
}

/** Search and lookup over a table built by `buildIndex`. */
export function tableRetriever(table: Table, { name, passages }: TableOptions): Retriever {
  return {
    async search(query, k) {
      checkCount(k);
      const wanted = Math.min(k, passages);
      for (let limit = wanted + TIE_MARGIN; ; limit *= 2) {
        const hits = await topHits(table, query, limit);
        // A tie across the limit may have been cut anywhere: look further until it is whole.
        const cut = hits.length === limit && hits[wanted - 1]?._score === hits.at(-1)?._score;
        if (!cut) return hits.slice(0, wanted).map(toRef);
      }
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

/** Best first; equal scores in corpus order. */
async function topHits(table: Table, query: string, limit: number): Promise<Hit[]> {
  const { MatchQuery } = await loadLance();
  const rows: Hit[] = await table
    .query()
    // A plain string would be parsed: quotes in a question become a phrase query and fail.
    .fullTextSearch(new MatchQuery(query, 'body'))
    .select(['position', 'id', 'title', '_score'])
    .limit(limit)
    .toArray();
  return rows.sort((a, b) => b._score - a._score || a.position - b.position);
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

function toRef(hit: Hit): PassageRef {
  return { id: hit.id, title: hit.title, score: hit._score };
}

function toPassage({ id, title, body }: PassageRow): Passage {
  return { id, title, text: body.slice(title.length + 1) };
}

/** @throws Failure BadInput unless k is a whole number of at least 1. */
export function checkCount(k: number): void {
  if (Number.isInteger(k) && k >= 1) return;
  throw new Failure('BadInput', `Asked for ${k} passages: the number must be 1 or more.`);
}

/** @throws Failure UnknownPassage, always. */
export function unknownPassage(id: string, corpus: string): never {
  throw new Failure(
    'UnknownPassage',
    `Corpus ${corpus} has no passage with id ${JSON.stringify(id)}: ` +
      'the question was retrieved from another corpus or another build of it.',
  );
}
