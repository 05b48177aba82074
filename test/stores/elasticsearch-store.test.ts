/** Elasticsearch as a store. */
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectElasticsearch } from '../../retrieval/elasticsearch/connection.js';
import { passageStore } from '../../retrieval/supplied-passages.js';
import { openDocuments } from '../../stores/elasticsearch-documents.js';
import { openElasticsearchStore } from '../../stores/elasticsearch-store.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import { allOf, holdsTo } from '../support/contract.js';
import { sharedElasticsearch } from '../support/elasticsearch.js';

const url = await sharedElasticsearch();
if (url !== undefined) stores(url);

function stores(url: string): void {
  // All files of a test run share the server.
  const own = randomUUID().slice(0, 8);
  const open = async (namespace: string) =>
    openElasticsearchStore(await connectElasticsearch({ url }), `test-${own}-${namespace}`);

  holdsTo(keyValueStoreContract({ open }));

  test('passages that came with a question are those given, wherever they are read', async () => {
    const [here, elsewhere] = await Promise.all([open('passages'), open('passages')]);
    const given = [
      { title: 'Grüße', text: 'Lead and\nline. 世界' },
      { text: 'x'.repeat(40_000) },
      { title: 'Grüße', text: 'Lead and\nline. 世界' },
    ];
    const refs = await passageStore(here).put(given);
    const read = await passageStore(elsewhere).get(refs.map(({ id }) => id));
    expect(read.map(({ title, text }) => [title, text])).toEqual([
      ['Grüße', 'Lead and\nline. 世界'],
      ['', 'x'.repeat(40_000)],
    ]);
    await Promise.all([here.close(), elsewhere.close()]);
  });

  test('a store of an earlier version is read, gets the labels it lacks, and is written on', async () => {
    const connection = await connectElasticsearch({ url });
    const alias = `test-${own}-old`;
    const old = await openDocuments(connection, `durable-rag-${alias}`, ['key']);
    const id = createHash('sha256').update('key').digest('hex');
    await old.write([{ id, labels: { key: 'key' }, content: 'Grüße' }]);
    const store = await open('old');
    expect(await store.get('key')).toBe('Grüße');
    expect(await allOf(store.list(''))).toEqual([{ key: 'key', writtenAt: null, bytes: 7 }]);
    expect(await store.compareAndSet('key', 'Grüße', 'new')).toBe(true);
    expect(await allOf(store.list(''))).toEqual([
      { key: 'key', writtenAt: expect.any(Number), bytes: 3 },
    ]);
    await Promise.all([store.close(), connection.close()]);
  });
}
