/** An Elasticsearch that goes away and comes back, under a search and under a build. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildElasticsearchIndex } from '../../../retrieval/elasticsearch/build.js';
import type { ElasticsearchConnection } from '../../../retrieval/elasticsearch/connection.js';
import { elasticsearchCorpora } from '../../../retrieval/elasticsearch/corpora.js';
import { elasticsearchConnection, sharedElasticsearch } from '../../support/elasticsearch.js';
import {
  type ElasticsearchNode,
  startElasticsearchNode,
} from '../../support/elasticsearch-node.js';
import { failureOf, idsOf } from '../contract.js';
import { animals, corpusFile, temporaryFolder } from '../helpers.js';

/** A node starts in half a minute, and in two on a busy machine. */
const START_MS = 240_000;

// Where the shared one cannot be had, neither can this, which the others must not share.
if ((await sharedElasticsearch()) !== undefined) outages();

function outages(): void {
  let node: ElasticsearchNode;
  let connection: ElasticsearchConnection;
  beforeAll(async () => {
    node = await startElasticsearchNode();
    connection = await elasticsearchConnection(node.url);
  }, START_MS);
  afterAll(() => node.remove());

  test('nothing is lost, and both go on', { timeout: START_MS }, async () => {
    const folder = await temporaryFolder();
    const herons = await corpusFile(folder, animals(20, 'heron'), 'herons.jsonl');
    await buildElasticsearchIndex(connection, { file: herons, into: 'birds' });
    const retriever = await elasticsearchCorpora(connection).open('birds');
    expect(idsOf(await retriever.search('heron', 1))).toEqual(['heron-0']);

    const otters = await corpusFile(folder, animals(20_000, 'otter'), 'otters.jsonl');
    let restarted: Promise<void> | undefined;
    const build = buildElasticsearchIndex(connection, {
      ...{ file: otters, into: 'water' },
      onProgress: ({ stage, passages }) => {
        if (stage === 'reading' && passages >= 5_000) restarted ??= restart();
      },
    });
    async function restart() {
      await node.stop();
      const failure = await failureOf(retriever.search('heron', 1));
      expect(failure).toMatchObject({ type: 'Connection', retryable: true });
      await node.start();
    }
    expect(await build).toMatchObject({ passages: 20_000 });
    await restarted;
    expect(idsOf(await retriever.search('heron', 1))).toEqual(['heron-0']);
    const water = await elasticsearchCorpora(connection).open('water');
    expect(await water.search('otter', 1)).toHaveLength(1);
  });
}
