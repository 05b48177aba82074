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
  const documents = await openDocuments(connection, `durable-rag-${namespace}`, ['key'], LATER);
  const read = gathered((ids: string[]) => documents.read(ids));
  const write = gathered<StoredDocument, void>(async (written) => {
    await documents.write(written);
    return [];
  });
  return {
    get: (key) => read(idOf(key)),
    set: (key, value) => write(documentOf(key, value)),
    setIfAbsent: (key, value) => documents.create(documentOf(key, value)),
    compareAndSet: (key, before, value) => documents.replace(before, documentOf(key, value)),
    delete: (key) => documents.remove(idOf(key)),
    async *list(prefix) {
      for await (const { id, labels } of documents.labels('key', prefix)) {
        const { key = '', writtenAt, bytes } = labels;
        const size = bytes ?? Buffer.byteLength((await read(id)) ?? '');
        const at = writtenAt === undefined ? null : Number(writtenAt);
        yield { key, writtenAt: at, bytes: Number(size) };
      }
    },
    close: () => connection.close(),
  };
}

/** Missing in documents of earlier versions. */
const LATER = ['writtenAt', 'bytes'];

function documentOf(key: string, content: string): StoredDocument {
  const bytes = String(Buffer.byteLength(content));
  return { id: idOf(key), labels: { key, writtenAt: String(Date.now()), bytes }, content };
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
