/** Our search of a corpus in LanceDB, and what it is made of. */
import { queryTermCounter, queryTerms } from '../retrieval/bm25.js';
import { openCorpora } from '../retrieval/corpora.js';
import { connect, TABLE } from '../retrieval/lancedb/engine.js';
import { firstPass, wordHits } from '../retrieval/lancedb/table-retriever.js';
import { indexPaths } from '../retrieval/manifest.js';
import { best } from '../retrieval/ranking.js';
import type { Part } from './parts.js';

/** How many passages are searched for. */
export const RETRIEVED = 10;

/** @param folder of the corpora that were indexed. */
export async function searchParts(folder: string, corpus: string): Promise<Part[]> {
  const corpora = openCorpora(folder);
  const retriever = await corpora.open(corpus);
  const { build } = await corpora.describe(corpus);
  const table = await (await connect(indexPaths(folder, corpus).build(build))).openTable(TABLE);
  return [
    {
      name: 'search for ten passages',
      of: async (query) => () => retriever.search(query, RETRIEVED),
    },
    {
      name: "... LanceDB's first pass: 110 hits with their texts",
      of: async (query) => () => firstPass(table, query, RETRIEVED),
    },
    {
      name: "... counting the query's words in a hundred of them",
      async of(query) {
        const hits = await firstPass(table, query, RETRIEVED);
        return () => {
          const countIn = queryTermCounter(queryTerms(query));
          for (const { body } of hits) countIn(body);
        };
      },
    },
    {
      name: 'LanceDB alone, ten hits without texts',
      of: async (query) => () => best(RETRIEVED, (limit) => wordHits(table, query, limit)),
    },
  ];
}
