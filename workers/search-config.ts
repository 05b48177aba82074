import { Failure } from '../core/failure.js';
import type { SettingName, Settings } from '../core/settings.js';
import type { ElasticsearchConfig } from '../retrieval/elasticsearch/connection.js';

/**
 * How to reach Elasticsearch, where that is the engine: where it is asked for, and where its
 * address is set and nothing else is asked for.
 *
 * @throws Failure BadInput naming the variables that do not go together.
 */
export function readElasticsearch(set: Settings): ElasticsearchConfig | undefined {
  const engine = set.DURABLE_RAG_SEARCH ?? (isAddressed(set) ? 'elasticsearch' : 'lancedb');
  return engine === 'lancedb' ? undefined : elasticsearchAccess(set);
}

/** Without an address it is the local stack's. */
function elasticsearchAccess(set: Settings): ElasticsearchConfig {
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

function isAddressed({ ELASTICSEARCH_URL, ELASTICSEARCH_CLOUD_ID }: Settings): boolean {
  return ELASTICSEARCH_URL !== undefined || ELASTICSEARCH_CLOUD_ID !== undefined;
}

function exclude(set: Settings, one: SettingName, other: SettingName) {
  if (set[one] === undefined || set[other] === undefined) return;
  throw new Failure('BadInput', `${one} and ${other} are both set: unset one of them.`);
}
