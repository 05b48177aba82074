/** The retriever over one build of a corpus in Elasticsearch. */
import { toUSVString } from 'node:util';
import type { Client, estypes } from '@elastic/elasticsearch';
import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { engineRetriever } from '../engine-retriever.js';
import type { IndexManifest } from '../manifest.js';
import { queryVector } from '../query-vector.js';
import { bestReferences, documentReference, type Hit, toRef } from '../ranking.js';
import type { Retriever } from '../retriever.js';
import type { ElasticsearchConnection } from './connection.js';
import { type ElasticsearchErrorResponse, responseFailure } from './failures.js';
import { indexName } from './indices.js';

/** The server's default bound (index.max_result_window), also for the candidates of kNN. */
const MOST_HITS = 10_000;
/** Candidates of a kNN search: for each hit, and at least. More candidates give better hits. */
const CANDIDATES_A_HIT = 5;
const LEAST_CANDIDATES = 500;
/** Texts asked for in one request. */
const IDS_AT_ONCE = 500;
/** Maximum length of an id in Elasticsearch, in UTF-8 bytes. */
export const LONGEST_ID = 512;

/**
 * The error of a search that found another build of the corpus than expected, because the corpus
 * was rebuilt.
 */
export class CorpusMoved extends Error {}

const hitSchema = z.object({
  _index: z.string(),
  _id: z.string(),
  _score: z.number(),
  _source: z.object({ title: z.string(), document: z.string().optional() }),
  sort: z.tuple([z.number(), z.number()]),
});
const errorSchema = z.object({ type: z.string(), reason: z.string().catch('') });
const documentSchema = z.union([
  z.object({ _id: z.string(), _source: z.object({ title: z.string(), body: z.string() }) }),
  z.object({ _id: z.string(), found: z.literal(false) }),
  z.object({ _id: z.string(), error: errorSchema }),
]);

/**
 * Returns the retriever over one build of a corpus in Elasticsearch. Its searches throw CorpusMoved
 * if they find another build.
 *
 * @param embeddings Embeds the queries of dense and hybrid search, which are refused without it.
 * @param index Name of the alias, which must refer to this build, or of the build's own index.
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
      const { title, document } = hit._source;
      const position = hit.sort[1];
      return { id: hit._id, title, score: hit._score, position, ...documentReference(document) };
    });
  }

  async function nearHits(query_vector: number[], limit: number, signal: AbortSignal) {
    const k = Math.min(limit, MOST_HITS);
    const num_candidates = Math.min(Math.max(k * CANDIDATES_A_HIT, LEAST_CANDIDATES), MOST_HITS);
    const knn = { field: 'vector', query_vector, k, num_candidates };
    const hits = await find({ size: k, knn }, signal);
    // The server's score is (1 + cosine) / 2.
    return hits.map((hit) => ({ ...hit, score: 2 * hit.score - 1 }));
  }

  return engineRetriever({
    corpus: name,
    passages,
    idsAtOnce: IDS_AT_ONCE,
    isId: canBeAnId,
    async byWords(query, count, signal) {
      checkWindow(count);
      // A match query takes text: no character in it is an operator.
      const match = { body: { query: toUSVString(query) } };
      return (await find({ size: count, query: { match } }, signal)).map(toRef);
    },
    async byVector(query, mode, signal) {
      const vector = await queryVector(query, manifest, mode, embeddings, signal);
      return (count) => {
        checkWindow(count);
        return bestReferences(count, (limit) => nearHits(vector, limit, signal));
      };
    },
    async read(ids) {
      const { docs } = await connection.request((client, options) =>
        client.mget({ index, ids: [...ids], _source: ['title', 'body'] }, options),
      );
      return docs.flatMap((raw) => {
        const document = documentSchema.parse(raw);
        if ('error' in document) throw responseFailure(toError(document.error), connection.address);
        return '_source' in document ? [toPassage(document)] : [];
      });
    },
  });
}

/** Fields of every search: ties in corpus order, a complete response or none, and no unneeded fields. */
const ALWAYS = {
  _source: ['title', 'document'],
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
function toError({ type, reason }: z.infer<typeof errorSchema>): ElasticsearchErrorResponse {
  return { status: type === 'index_not_found_exception' ? 404 : 503, type, reason };
}

function toPassage({ _id, _source }: { _id: string; _source: { title: string; body: string } }) {
  const { title, body } = _source;
  return { id: _id, title, text: body.slice(title.length + 1) };
}
