/** The stores that the workers of a task queue use, recognised by ids stored in them. Pure. */

/**
 * The random ids that were written into a worker's stores of responses, passages, results and
 * corpora; absent for a store without an id.
 */
export interface StoreIds {
  responses?: string;
  passages?: string;
  results?: string;
  corpora?: string;
}

/** The setting that makes workers on several machines share a store. */
const SHARED_BY: Record<keyof StoreIds, string> = {
  responses: 'DURABLE_RAG_STORE: the same redis://... or postgres://... for all',
  passages: 'DURABLE_RAG_STORE as well',
  results: 'DURABLE_RAG_RESULTS: store, or a folder that all machines mount',
  corpora:
    'DURABLE_RAG_SEARCH=elasticsearch and the same ELASTICSEARCH_URL, or DURABLE_RAG_CORPORA: a folder that all machines mount',
};

/**
 * Returns a list of lines, one for each store whose ids differ between two workers, with the
 * setting that makes them the same; empty if none differs. Stores without an id are not compared.
 */
export function otherStores(there: StoreIds, here: StoreIds): string[] {
  const names = Object.keys(SHARED_BY) as (keyof StoreIds)[];
  return names
    .filter((name) => there[name] !== undefined && here[name] !== undefined)
    .filter((name) => there[name] !== here[name])
    .map((name) => `${name} (${SHARED_BY[name]})`);
}
