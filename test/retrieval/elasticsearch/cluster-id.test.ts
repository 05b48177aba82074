import { expect, onTestFinished, test } from 'vitest';
import { openSearch } from '../../../retrieval/open-search.js';
import { otherStores } from '../../../workflows/queue/store-ids.js';
import { serve } from '../../support/listening.js';

/** An address of a cluster without any corpus. */
function addressOf(cluster: string): Promise<string> {
  return serve((request, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/json');
    const isState = request.url?.startsWith('/_cluster/state/version');
    response.end(JSON.stringify(isState ? { cluster_uuid: cluster } : {}));
  });
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
