/** A real Elasticsearch that asks who is there, and lets each do what it may. */
import { pbkdf2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openSearch } from '../../../retrieval/open-search.js';
import { runWorker } from '../../../workers/run-worker.js';
import { sharedElasticsearch } from '../../support/elasticsearch.js';
import {
  type ElasticsearchNode,
  startElasticsearchNode,
} from '../../support/elasticsearch-node.js';
import { failureOf } from '../../support/failure-of.js';
import { animals, corpusFile, idsOf } from '../helpers.js';
import '../../support/quiet-runtime.js';
import { temporaryFolder } from '../../support/folder.js';

const START_MS = 240_000;

/** What the documentation says that searching and indexing need. */
const ROLES = `reader:
  indices:
    - names: ['birds*']
      privileges: ['read', 'view_index_metadata']
indexer:
  indices:
    - names: ['birds*']
      privileges: ['read', 'create_index', 'index', 'manage']
`;

const password = (user: string) => `password-of-${user}`;

/** As `elasticsearch-users` writes it. */
function hashed(user: string): string {
  const salt = Buffer.alloc(32, user);
  const hash = pbkdf2Sync(password(user), salt, 10_000, 32, 'sha512');
  return `${user}:{PBKDF2}10000$${salt.toString('base64')}$${hash.toString('base64')}\n`;
}

if ((await sharedElasticsearch()) !== undefined) secured();

function secured(): void {
  let node: ElasticsearchNode;
  beforeAll(async () => {
    node = await startElasticsearchNode({
      settings: [
        'xpack.security.enabled: true',
        'xpack.security.autoconfiguration.enabled: false',
        'xpack.security.http.ssl.enabled: false',
      ],
      files: {
        users: hashed('ina') + hashed('rea'),
        users_roles: 'indexer:ina\nreader:rea\n',
        'roles.yml': ROLES,
      },
    });
    const ina = await as('ina');
    const file = await corpusFile(await temporaryFolder(), animals(20));
    await ina.build({ file, into: 'birds' });
    await ina.close();
  }, START_MS);
  afterAll(() => node.remove());

  const as = (username?: string, secret = password(username ?? '')) =>
    openSearch({
      corpora: '',
      elasticsearch: {
        url: node.url,
        ...(username === undefined ? {} : { username, password: secret }),
      },
    });

  describe('the index of who may index', () => {
    test('is listed and searched by who may search', async () => {
      const { corpora, close } = await as('rea');
      expect((await corpora.list()).map(({ name }) => name)).toEqual(['birds']);
      const retriever = await corpora.open('birds');
      expect(idsOf(await retriever.search('heron', 1))).toEqual(['heron-0']);
      expect(idsOf(await retriever.get(['heron-7']))).toEqual(['heron-7']);
      await close();
    });

    test('is not rebuilt by who may search only', async () => {
      const { build, close } = await as('rea');
      const file = await corpusFile(await temporaryFolder(), animals(5));
      const failure = await failureOf(build({ file, into: 'birds' }));
      expect(failure).toMatchObject({ type: 'Permission', retryable: false });
      expect(failure.message).toContain('is unauthorized for user [rea]');
      await close();
    });
  });

  test.each<[string, string | undefined, string]>([
    ['a wrong password', 'rea', 'wrong-password'],
    ['a user that is not known', 'nobody', 'wrong-password'],
    ['no name at all', undefined, ''],
  ])('%s is told at once', async (_, username, secret) => {
    const failure = await failureOf(as(username, secret));
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
        ELASTICSEARCH_URL: node.url,
        ELASTICSEARCH_USERNAME: 'rea',
        ELASTICSEARCH_PASSWORD: password('rea'),
      },
      warn: (message) => void warnings.push(message),
    });
    await worker.stop();
    expect(warnings).toEqual([]);
  });
}
