/** The retriever port over a corpus in Elasticsearch, as one manifest describes it. */
import { toUSVString } from 'node:util';
import type { Client, estypes } from '@elastic/elasticsearch';
import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import type { Passage } from '../../core/vocabulary.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { fuse } from '../fuse.js';
import type { IndexManifest } from '../manifest.js';
import { queryVector } from '../query-vector.js';
import { best, checkCount, FUSED_DEPTH, type Hit, toRef, unknownPassage } from '../ranking.js';
import type { Retriever } from '../retriever.js';
import type { ElasticsearchConnection } from './connection.js';
import { type ElasticsearchError, named } from './failures.js';
import { indexName } from './indices.js';

/** The server's default bound (index.max_result_window), also for the candidates of kNN. */
const MOST_HITS = 10_000;
/** Candidates of a kNN search for each hit, and the minimum: more candidates, better hits. */
const CANDIDATES_A_HIT = 5;
const LEAST_CANDIDATES = 500;
/** Texts asked for in one request. */
const IDS_AT_ONCE = 500;
/** Elasticsearch's bound for an id, in bytes. */
export const LONGEST_ID = 512;

/** The alias points to another build than the manifest says. */
export class CorpusMoved extends Error {}

const hitSchema = z.object({
  _index: z.string(),
  _id: z.string(),
  _score: z.number(),
  _source: z.object({ title: z.string() }),
  sort: z.tuple([z.number(), z.number()]),
});
const errorSchema = z.object({ type: z.string(), reason: z.string().catch('') });
const documentSchema = z.union([
  z.object({ _id: z.string(), _source: z.object({ title: z.string(), body: z.string() }) }),
  z.object({ _id: z.string(), found: z.literal(false) }),
  z.object({ _id: z.string(), error: errorSchema }),
]);

/**
 * Searches and reads a corpus built by `buildElasticsearchIndex`.
 *
 * @param index What is asked: the alias, which has to be of this build, or the build itself.
 */
export function indexRetriever(
  connection: ElasticsearchConnection,
  manifest: IndexManifest,
  embeddings?: EmbeddingModel,
  index = manifest.name,
): Retriever {
  const { name, passages } = manifest;

  async function find(body: estypes.SearchRequest, signal: AbortSignal): Promise<Hit[]> {
    const { hits } = await connection.request(
      (client: Client, options) => client.search({ ...ALWAYS, index, ...body }, options),
      signal,
    );
    return hits.hits.map((raw) => {
      const hit = hitSchema.parse(raw);
      if (hit._index !== indexName(manifest)) throw new CorpusMoved();
      const { title } = hit._source;
      return { id: hit._id, title, score: hit._score, position: hit.sort[1] };
    });
  }

  const wordHits = (query: string, size: number, signal: AbortSignal) =>
    // A match query takes text: no character in it is an operator.
    find({ size, query: { match: { body: { query: toUSVString(query) } } } }, signal);

  async function nearHits(query_vector: number[], limit: number, signal: AbortSignal) {
    const k = Math.min(limit, MOST_HITS);
    const num_candidates = Math.min(Math.max(k * CANDIDATES_A_HIT, LEAST_CANDIDATES), MOST_HITS);
    const knn = { field: 'vector', query_vector, k, num_candidates };
    const hits = await find({ size: k, knn }, signal);
    // The server's score is (1 + cosine) / 2.
    return hits.map((hit) => ({ ...hit, score: 2 * hit.score - 1 }));
  }

  return {
    async search(query, k, mode = 'bm25', signal = new AbortController().signal) {
      checkCount(k);
      const wanted = Math.min(k, passages);
      checkWindow(wanted);
      if (query.trim() === '') return [];
      const byWords = async (count: number) => (await wordHits(query, count, signal)).map(toRef);
      if (mode === 'bm25') return byWords(wanted);
      const vector = await queryVector(query, manifest, mode, embeddings, signal);
      const byVector = (count: number) => best(count, (limit) => nearHits(vector, limit, signal));
      if (mode === 'dense') return byVector(wanted);
      const depth = Math.min(Math.max(k, FUSED_DEPTH), passages);
      return fuse(await Promise.all([byWords(depth), byVector(depth)])).slice(0, wanted);
    },

    async get(ids) {
      const found = new Map<string, Passage>();
      const distinct = [...new Set(ids)].filter(canBeAnId);
      for (let start = 0; start < distinct.length; start += IDS_AT_ONCE) {
        const asked = distinct.slice(start, start + IDS_AT_ONCE);
        const { docs } = await connection.request((client, options) =>
          client.mget({ index, ids: asked, _source: ['title', 'body'] }, options),
        );
        for (const raw of docs) {
          const document = documentSchema.parse(raw);
          if ('error' in document) throw named(toError(document.error), connection.address);
          if ('_source' in document) found.set(document._id, toPassage(document));
        }
      }
      return ids.map((id) => found.get(id) ?? unknownPassage(id, name));
    },
  };
}

/** Ties in corpus order; a complete answer or none; no unneeded fields. */
const ALWAYS = {
  _source: ['title'],
  sort: [{ _score: { order: 'desc' } }, { position: { order: 'asc' } }],
  track_scores: true,
  track_total_hits: false,
  allow_partial_search_results: false,
} satisfies estypes.SearchRequest;

function checkWindow(count: number): void {
  if (count <= MOST_HITS) return;
  throw new Failure(
    'BadInput',
    `Asked for ${count} passages: Elasticsearch gives at most ${MOST_HITS}.`,
  );
}

function canBeAnId(id: string): boolean {
  return id !== '' && Buffer.byteLength(id) <= LONGEST_ID;
}

/** Returns a document's error, without status: mostly shards that do not answer. */
function toError({ type, reason }: z.infer<typeof errorSchema>): ElasticsearchError {
  return { status: type === 'index_not_found_exception' ? 404 : 503, type, reason };
}

function toPassage({ _id, _source }: { _id: string; _source: { title: string; body: string } }) {
  const { title, body } = _source;
  return { id: _id, title, text: body.slice(title.length + 1) };
}
