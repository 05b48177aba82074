/** Which search engine a worker uses, read from its environment. */
import { z } from 'zod';
import { Failure } from '../core/failure.js';
import type { ElasticsearchConfig } from '../retrieval/elasticsearch/connection.js';

const text = z.string().min(1).optional();
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional();
/** Where the local stack has its Elasticsearch. */
export const LOCAL_ELASTICSEARCH_PORT = 9280;

/** The variables, as a part of the schema of the environment. */
export const searchVariables = {
  DURABLE_RAG_SEARCH: z
    .enum(['lancedb', 'elasticsearch'], { error: 'must be lancedb or elasticsearch' })
    .optional(),
  ELASTICSEARCH_URL: url,
  ELASTICSEARCH_CLOUD_ID: text,
  ELASTICSEARCH_API_KEY: text,
  ELASTICSEARCH_USERNAME: text,
  ELASTICSEARCH_PASSWORD: text,
  ELASTICSEARCH_CA_FINGERPRINT: text,
  ELASTICSEARCH_CA_FILE: text,
  DURABLE_RAG_ELASTICSEARCH_PORT: z.coerce
    .number({ error: 'must be a port from 1 to 65535' })
    .int('must be a port from 1 to 65535')
    .min(1, 'must be a port from 1 to 65535')
    .max(65_535, 'must be a port from 1 to 65535')
    .default(LOCAL_ELASTICSEARCH_PORT),
};

type SearchVariables = z.output<z.ZodObject<typeof searchVariables>>;

/**
 * How to reach Elasticsearch, where that is the engine: where it is asked for, and where its
 * address is set and nothing else is asked for.
 *
 * @throws Failure BadInput naming the variables that do not go together.
 */
export function readElasticsearch(set: SearchVariables): ElasticsearchConfig | undefined {
  const engine = set.DURABLE_RAG_SEARCH ?? (isAddressed(set) ? 'elasticsearch' : 'lancedb');
  return engine === 'lancedb' ? undefined : elasticsearchAccess(set);
}

/** Without an address it is the local stack's. */
function elasticsearchAccess(set: SearchVariables): ElasticsearchConfig {
  exclude(set, 'ELASTICSEARCH_URL', 'ELASTICSEARCH_CLOUD_ID');
  exclude(set, 'ELASTICSEARCH_API_KEY', 'ELASTICSEARCH_USERNAME');
  if ((set.ELASTICSEARCH_USERNAME === undefined) !== (set.ELASTICSEARCH_PASSWORD === undefined)) {
    throw new Failure(
      'BadInput',
      'Of ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD one is set: set both or none.',
    );
  }
  return {
    url: isAddressed(set)
      ? set.ELASTICSEARCH_URL
      : `http://127.0.0.1:${set.DURABLE_RAG_ELASTICSEARCH_PORT}`,
    cloudId: set.ELASTICSEARCH_CLOUD_ID,
    apiKey: set.ELASTICSEARCH_API_KEY,
    username: set.ELASTICSEARCH_USERNAME,
    password: set.ELASTICSEARCH_PASSWORD,
    caFingerprint: set.ELASTICSEARCH_CA_FINGERPRINT,
    caFile: set.ELASTICSEARCH_CA_FILE,
  };
}

function isAddressed({ ELASTICSEARCH_URL, ELASTICSEARCH_CLOUD_ID }: SearchVariables): boolean {
  return ELASTICSEARCH_URL !== undefined || ELASTICSEARCH_CLOUD_ID !== undefined;
}

function exclude(set: SearchVariables, one: keyof SearchVariables, other: keyof SearchVariables) {
  if (set[one] === undefined || set[other] === undefined) return;
  throw new Failure('BadInput', `${one} and ${other} are both set: unset one of them.`);
}
