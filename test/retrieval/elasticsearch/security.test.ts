/** A real Elasticsearch asks who is there, and lets each do what it may. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openSearch } from '../../../retrieval/open-search.js';
import { runWorker } from '../../../workers/run-worker.js';
import { corpusName, sharedElasticsearch } from '../../support/elasticsearch.js';
import { passwordOf } from '../../support/elasticsearch-node.js';
import { failureOf } from '../../support/failure-of.js';
import { animals, corpusFile, idsOf } from '../helpers.js';
import '../../support/quiet-runtime.js';
import { temporaryFolder } from '../../support/folder.js';

const shared = await sharedElasticsearch();
if (shared !== undefined) secured(shared.replace(/\/\/.*@/, '//'));

function secured(url: string): void {
  const birds = corpusName('birds');
  beforeAll(async () => {
    const ina = await as('ina');
    const file = await corpusFile(animals(20));
    await ina.build({ file, into: birds });
    await ina.close();
  });

  const as = (username?: string, password = passwordOf(username ?? '')) =>
    openSearch({
      corpora: '',
      elasticsearch: { url, ...(username !== undefined && { username, password }) },
    });

  describe('the index of who may index', () => {
    test('is listed and searched by who may search', async () => {
      const { corpora, close } = await as('rea');
      expect((await corpora.list()).map(({ name }) => name)).toEqual([birds]);
      const retriever = await corpora.open(birds);
      expect(idsOf(await retriever.search('heron', 1))).toEqual(['heron-0']);
      expect(idsOf(await retriever.get(['heron-7']))).toEqual(['heron-7']);
      await close();
    });

    test('is not rebuilt by who may search only', async () => {
      const { build, close } = await as('rea');
      const file = await corpusFile(animals(5));
      const failure = await failureOf(build({ file, into: birds }));
      expect(failure).toMatchObject({ type: 'Permission', retryable: false });
      expect(failure.message).toContain('is unauthorized for user [rea]');
      await close();
    });
  });

  test.each([
    ['a wrong password', 'rea'],
    ['a user that is not known', 'nobody'],
    ['no name at all', undefined],
  ])('%s is told at once', async (_, username) => {
    const failure = await failureOf(as(username, 'wrong-password'));
    expect(failure).toMatchObject({ type: 'Authentication', retryable: false });
    expect(failure.message).toContain('Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USERNAME');
    expect(failure.message).not.toContain('wrong-password');
  });

  test('a worker that may search only starts, and has nothing to warn of', async () => {
    const warnings: string[] = [];
    const worker = await runWorker({
      connect: { address: inject('temporalAddress') },
      namespace: 'default',
      env: {
        DURABLE_RAG_HOME: await temporaryFolder(),
        DURABLE_RAG_TASK_QUEUE: 'reader',
        OPENAI_API_KEY: 'key',
        ELASTICSEARCH_URL: url,
        ELASTICSEARCH_USERNAME: 'rea',
        ELASTICSEARCH_PASSWORD: passwordOf('rea'),
      },
      warn: (message) => void warnings.push(message),
    });
    await worker.stop();
    expect(warnings).toEqual([]);
  });
}
