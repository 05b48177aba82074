/** Elasticsearch as a store. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectElasticsearch } from '../../retrieval/elasticsearch/connection.js';
import { passageStore } from '../../retrieval/supplied-passages.js';
import { openElasticsearchStore } from '../../stores/elasticsearch-store.js';
import { sharedElasticsearch } from '../support/elasticsearch.js';
import { storeContract } from './contract.js';

const url = await sharedElasticsearch();
if (url !== undefined) stores(url);

function stores(url: string): void {
  // All files of a test run share the server.
  const own = randomUUID().slice(0, 8);
  const open = async (namespace = 'main') =>
    openElasticsearchStore(await connectElasticsearch({ url }), `test-${own}-${namespace}`);

  storeContract(open);

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
}
