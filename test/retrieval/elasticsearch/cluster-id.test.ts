/** An Elasticsearch is told by its cluster, whatever its address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSearch } from '../../../retrieval/open-search.js';
import { otherStores } from '../../../workflows/queue/stores.js';

/** An address of a cluster without any corpus. */
async function addressOf(cluster: string): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/json');
    const isState = request.url?.startsWith('/_cluster/state/version');
    response.end(JSON.stringify(isState ? { cluster_uuid: cluster } : {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function storesAt(url: string) {
  const engine = await openSearch({ corpora: '', elasticsearch: { url } });
  onTestFinished(() => engine.close());
  const corpora = await engine.id();
  return corpora === undefined ? {} : { corpora };
}

test('workers on two clusters do not share a queue, those on two addresses of one do', async () => {
  const [one, another, elsewhere] = await Promise.all(['a', 'a', 'b'].map(addressOf));
  const here = await storesAt(one ?? '');
  expect(here).toEqual({ corpora: 'a' });
  expect(otherStores(here, await storesAt(another ?? ''))).toEqual([]);
  expect(otherStores(here, await storesAt(elsewhere ?? '')).join()).toContain('ELASTICSEARCH_URL');
});
