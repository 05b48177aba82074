/** A store in Elasticsearch. */
import { createHash } from 'node:crypto';
import type { ElasticsearchConnection } from '../retrieval/elasticsearch/connection.js';
import { openDocuments } from './elasticsearch-documents.js';
import type { KeyValueStore } from './key-value-store.js';

/**
 * Opens a store under the alias `durable-rag-NAMESPACE`, which is made if it is not there. `close`
 * closes the connection.
 *
 * @throws Failure when Elasticsearch cannot be used.
 */
export async function openElasticsearchStore(
  connection: ElasticsearchConnection,
  namespace: string,
): Promise<KeyValueStore> {
  const documents = await openDocuments(connection, `durable-rag-${namespace}`, ['key']);
  return {
    async get(key) {
      const [content] = await documents.read([idOf(key)]);
      return content;
    },
    set: (key, content) => documents.write([{ id: idOf(key), labels: { key }, content }]),
    close: () => connection.close(),
  };
}

/** Ids have 512 bytes at most; keys have no limit. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
