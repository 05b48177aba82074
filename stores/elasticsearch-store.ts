/** A store in Elasticsearch. */
import { createHash } from 'node:crypto';
import type { ElasticsearchConnection } from '../retrieval/elasticsearch/connection.js';
import { openDocuments, type StoredDocument } from './elasticsearch-documents.js';
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
  const read = gathered((ids: string[]) => documents.read(ids));
  const write = gathered<StoredDocument, void>(async (written) => {
    await documents.write(written);
    return [];
  });
  return {
    get: (key) => read(idOf(key)),
    set: (key, content) => write({ id: idOf(key), labels: { key }, content }),
    close: () => connection.close(),
  };
}

/** Ids have 512 bytes at most; keys have no limit. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What is asked at the same time goes into one request: the passages of a question, for one. */
function gathered<I, O>(ask: (items: I[]) => Promise<O[]>): (item: I) => Promise<O> {
  let items: I[] = [];
  let asking: Promise<O[]> | undefined;
  return async (item) => {
    const place = items.push(item) - 1;
    asking ??= new Promise((done) => setImmediate(done)).then(() => {
      const all = items;
      items = [];
      asking = undefined;
      return ask(all);
    });
    const answers = await asking;
    return answers[place] as O;
  };
}
