/** Reads and writes the indices, records and aliases of corpora in Elasticsearch. */
import type { estypes } from '@elastic/elasticsearch';
import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { INDEX_FORMAT, type IndexManifest, manifestSchema } from '../manifest.js';
import type { ElasticsearchConnection } from './connection.js';

/** The text analysis of an Elasticsearch index: the analyzer, and the two parameters of BM25. */
export interface Analysis {
  /** Name of an analyzer that the server has. */
  analyzer: string;
  k1: number;
  b: number;
}

/**
 * Default analyzer and BM25 parameters of an index: Elasticsearch's `english` (stemming, stop
 * words), and k1 = 0.9 and b = 0.4, as in Pyserini and Anserini.
 */
export const DEFAULT_ANALYSIS: Analysis = { analyzer: 'english', k1: 0.9, b: 0.4 };

/** The record is in `_meta`, the part of a mapping for its owner. */
const META = 'durable_rag';

const draftSchema = z.object({
  state: z.literal('building'),
  format: z.number(),
  name: z.string(),
  build: z.string(),
  tokenizer: manifestSchema.shape.tokenizer,
  embedding: manifestSchema.shape.embedding,
  builder: z.object({ pid: z.number(), host: z.string() }),
  /** Last report of the builder, in milliseconds since 1970. */
  touchedAt: z.number(),
});

/**
 * The record of an Elasticsearch index under construction: its corpus, its build and its builder.
 */
export type IndexDraft = z.infer<typeof draftSchema>;

const servedSchema = manifestSchema.extend({ state: z.literal('complete') });
const recordSchema = z.discriminatedUnion('state', [draftSchema, servedSchema]);

interface FoundIndex {
  /** Name of the index itself, never an alias. */
  index: string;
  aliases: string[];
  /** Undefined for a foreign index, or one of another format. */
  record: IndexDraft | z.infer<typeof servedSchema> | undefined;
}

const indicesSchema = z.record(
  z.string(),
  z.object({
    aliases: z.record(z.string(), z.unknown()).default({}),
    mappings: z.object({ _meta: z.object({ [META]: z.unknown() }).optional() }).optional(),
  }),
);

/** Returns the name of the Elasticsearch index of one build, which no other build ever has. */
export function indexName({ name, build }: { name: string; build: string }): string {
  return `${name}-${build}`;
}

/**
 * Returns the Elasticsearch indices that match a name, alias or pattern, each with its name
 * (`index`), its `aliases` and the `record` that its build stored in it; empty if none match. The
 * record is undefined if durable-rag did not build the index, or built it in another format.
 *
 * @param pattern Name, alias, or pattern with `*`.
 */
export async function findIndices(
  connection: ElasticsearchConnection,
  pattern: string,
  signal?: AbortSignal,
): Promise<FoundIndex[]> {
  const found = await connection.request(
    (client, options) =>
      client.indices.get(
        {
          index: pattern,
          features: ['aliases', 'mappings'],
          ignore_unavailable: true,
          allow_no_indices: true,
          filter_path: [`*.mappings._meta.${META}`, '*.aliases'],
        },
        options,
      ),
    signal,
  );
  return Object.entries(indicesSchema.parse(found)).map(([index, { aliases, mappings }]) => {
    const record = recordSchema.safeParse(mappings?._meta?.[META]);
    const ours = record.success && record.data.format === INDEX_FORMAT;
    return { index, aliases: Object.keys(aliases), record: ours ? record.data : undefined };
  });
}

/**
 * Returns the manifest of the Elasticsearch index that is served under a name; undefined if there
 * is none or more than one, or if durable-rag did not build it, or built it in another format.
 */
export async function readServed(
  connection: ElasticsearchConnection,
  name: string,
): Promise<IndexManifest | undefined> {
  const served = (await findIndices(connection, name)).filter(isServed);
  return served.length === 1 ? served[0]?.record : undefined;
}

/**
 * Returns whether an Elasticsearch index, as `findIndices` returns it, is a complete build to
 * which its corpus's alias refers.
 */
export function isServed(
  found: FoundIndex,
): found is FoundIndex & { record: z.infer<typeof servedSchema> } {
  const { record, aliases } = found;
  return record?.state === 'complete' && aliases.includes(record.name);
}

/**
 * Creates the empty Elasticsearch index of a new build, with the draft as its record.
 *
 * @throws Failure BadInput if the server lacks the analyzer or does not support such vectors.
 */
export async function createIndex(
  connection: ElasticsearchConnection,
  draft: IndexDraft,
  { analyzer, k1, b }: Analysis,
  signal: AbortSignal,
): Promise<void> {
  const settings: estypes.IndicesIndexSettings = {
    // One shard: word statistics are per shard, and ranks must not depend on the distribution.
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: -1,
    'merge.policy.expunge_deletes_allowed': 0,
    similarity: { passages: { type: 'BM25', k1, b } },
  };
  const properties: Record<string, estypes.MappingProperty> = {
    position: { type: 'integer' },
    document: { type: 'keyword', index: false, doc_values: false },
    title: { type: 'keyword', index: false, doc_values: false },
    body: { type: 'text', analyzer, similarity: 'passages' },
  };
  if (draft.embedding !== undefined) {
    properties.vector = {
      type: 'dense_vector',
      dims: draft.embedding.dimensions,
      similarity: 'cosine',
      // No quantization: it saves memory but loses ranks.
      index_options: { type: 'hnsw' },
    };
  }
  const mappings = { dynamic: 'strict' as const, _meta: { [META]: draft }, properties };
  try {
    await connection.request(
      (client, options) =>
        client.indices.create({ index: indexName(draft), settings, mappings }, options),
      signal,
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.retryable || error.type === 'Permission') throw error;
    throw new Failure('BadInput', `Corpus ${draft.name} cannot be indexed so: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Writes a draft as the record of its Elasticsearch index under construction, into the index's
 * mapping, in place of the previous one.
 */
export async function writeDraft(
  connection: ElasticsearchConnection,
  draft: IndexDraft,
): Promise<void> {
  await writeRecord(connection, indexName(draft), draft);
}

/**
 * Serves a complete Elasticsearch index under its corpus's name: writes its record and settings,
 * and then moves the alias from the previous index.
 */
export async function serveIndex(
  connection: ElasticsearchConnection,
  manifest: IndexManifest,
  signal: AbortSignal,
): Promise<void> {
  const { name } = manifest;
  const index = indexName(manifest);
  await writeRecord(connection, index, { state: 'complete', ...manifest }, signal);
  const settings = { refresh_interval: null, auto_expand_replicas: '0-1' };
  await connection.request(
    // The client's type lacks null, which puts a setting back to its default.
    (client, options) =>
      client.indices.putSettings({ index, settings: settings as object }, options),
    signal,
  );
  const before = (await findIndices(connection, name, signal)).filter((one) => one.index !== index);
  const actions = [
    ...before.map((one) => ({ remove: { index: one.index, alias: name } })),
    { add: { index, alias: name } },
  ];
  await connection.request(
    (client, options) => client.indices.updateAliases({ actions }, options),
    signal,
  );
}

/** Deletes an Elasticsearch index; does nothing if it does not exist. */
export async function deleteIndex(
  connection: ElasticsearchConnection,
  index: string,
): Promise<void> {
  await connection.request((client) => client.indices.delete({ index, ignore_unavailable: true }));
}

async function writeRecord(
  connection: ElasticsearchConnection,
  index: string,
  record: object,
  signal?: AbortSignal,
): Promise<void> {
  const _meta = { [META]: record };
  await connection.request(
    (client, options) => client.indices.putMapping({ index, _meta }, options),
    signal,
  );
}
