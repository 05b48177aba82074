import { describe, expect, onTestFinished, test } from 'vitest';
import {
  connectElasticsearch,
  type ElasticsearchConfig,
} from '../../../retrieval/elasticsearch/connection.js';
import { elasticsearchCorpora } from '../../../retrieval/elasticsearch/elasticsearch-corpora.js';
import { openSearch } from '../../../retrieval/open-search.js';
import { freePort } from '../../../temporal-dev/tcp-ports.js';
import { failureOf } from '../../support/failure-of.js';
import { serve } from '../../support/listening.js';

const KEY = 'c2VjcmV0LWtleQ';

/** Answers as an Elasticsearch does. */
function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  return serve((_, response) => {
    response.writeHead(status, {
      'content-type': 'application/vnd.elasticsearch+json;compatible-with=9',
      'x-elastic-product': 'Elasticsearch',
      ...headers,
    });
    response.end(JSON.stringify(body));
  });
}

async function searchFailure(config: ElasticsearchConfig) {
  const connection = await connectElasticsearch({ apiKey: KEY, ...config });
  onTestFinished(() => connection.close());
  const failure = await failureOf(elasticsearchCorpora(connection).list());
  expect(JSON.stringify([failure.message, failure.stack])).not.toContain(KEY);
  return failure;
}

const error = (type: string, reason: string) => ({ error: { type, reason, root_cause: [] } });

describe('an answer', () => {
  const unmapped = {
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    root_cause: [{ type: 'query_shard_exception', reason: 'No mapping found for [position]' }],
  };
  const tooMany = 'maxClauseCount is set to 1024';
  const oldMedia = 'Invalid media-type value on headers [Accept]';

  // The kind and the reason of the error, the failure, and what its message holds.
  test.each<[string, number, unknown, string, string]>([
    ['a key that is not known', 401, 'security: none', 'Authentication', 'ELASTICSEARCH_API_KEY'],
    ['a key without the right', 403, 'security: not this', 'Permission', 'not this'],
    ['a missing index', 404, 'index_not_found: no index', 'UnknownCorpus', 'no index'],
    ['too many requests', 429, 'es_rejected_execution: full', 'Overloaded', 'full'],
    ['no node that can answer', 503, 'cluster_block: not yet', 'Overloaded', 'not yet'],
    ['a gateway that gave up', 504, { error: 'Gateway Timeout' }, 'Timeout', 'Gateway Timeout'],
    ['an older version', 400, `media_type_header: ${oldMedia}`, 'Incompatible', 'it must be 9'],
    ['a function that it lacks', 405, { error: 'no' }, 'Incompatible', 'Check ELASTICSEARCH_URL'],
    ['other fields', 400, { error: unmapped }, 'UnknownCorpus', 'No mapping found for [position]'],
    ['a query of too many words', 400, `query_shard: ${tooMany}`, 'BadInput', 'too many words'],
    ['a request it does not take', 400, 'parsing: unknown [x]', 'BadRequest', 'unknown [x]'],
    ['a fault of its own', 500, 'null_pointer: oops', 'Unexpected', 'oops'],
  ])('%s', async (_, status, said, type, message) => {
    const [kind, reason = ''] = typeof said === 'string' ? said.split(': ') : [];
    const url = await answering(status, kind ? error(`${kind}_exception`, reason) : said);
    const failure = await searchFailure({ url });
    const retryable = ['Overloaded', 'Timeout', 'Unexpected'].includes(type);
    expect(failure).toMatchObject({ type, retryable });
    expect(failure.message).toContain(`Elasticsearch at ${url} `);
    expect(failure.message).toContain(message);
  });

  test.each([
    ['7', 7000],
    ['86400', 60_000],
    [new Date(Date.now() + 86_400_000).toUTCString(), 60_000],
    ['soon', undefined],
  ])('that says when to come back: %s', async (after, retryAfterMs) => {
    const said = error('circuit_breaking_exception', 'x');
    const url = await answering(429, said, { 'retry-after': after });
    expect(await searchFailure({ url })).toMatchObject({ type: 'Overloaded', retryAfterMs });
  });

  test('of something else than Elasticsearch', async () => {
    const url = await serve((_, response) => response.end('<html>Welcome</html>'));
    const failure = await searchFailure({ url });
    expect(failure).toMatchObject({ type: 'Incompatible', retryable: false });
    expect(failure.message).toContain('is no Elasticsearch');
  });
});

describe('no answer', () => {
  test('where nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const failure = await searchFailure({ url });
    expect(failure).toMatchObject({ type: 'Connection', retryable: true });
    expect(failure.message).toContain(`${url} cannot be reached`);
    expect(failure.message).toContain('Check ELASTICSEARCH_URL');
  });

  test('that breaks off', async () => {
    const url = await serve((_, response) => response.destroy());
    expect(await searchFailure({ url })).toMatchObject({ type: 'Connection', retryable: true });
  });

  test('before the caller has enough of it', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort(new Error('cancelled')));
    const connection = await connectElasticsearch({ url });
    onTestFinished(() => connection.close());
    const request = connection.request(
      (client, options) => client.cluster.health({}, options),
      controller.signal,
    );
    await expect(request).rejects.toThrow('cancelled');
  });
});

describe('a configuration that cannot be used', () => {
  test('names what is wrong, and not the password', async () => {
    const url = `http://me:${KEY}@127.0.0.1:${await freePort()}/es/`;
    const failure = await failureOf(openSearch({ corpora: '', elasticsearch: { url } }));
    expect(failure.message).toContain(`${url.replace(`me:${KEY}@`, '').slice(0, -1)} cannot be`);
    expect(failure.message).not.toContain(KEY);
  });

  test('a file that is not there', async () => {
    const failure = await failureOf(
      connectElasticsearch({ url: 'https://x', caFile: '/none.pem' }),
    );
    expect(failure).toMatchObject({ type: 'BadInput' });
    expect(failure.message).toContain('/none.pem of ELASTICSEARCH_CA_FILE cannot be read (ENOENT)');
  });

  test('a cloud id that is none', async () => {
    const failure = await failureOf(connectElasticsearch({ cloudId: 'nonsense' }));
    expect(failure).toMatchObject({ type: 'BadInput' });
    expect(failure.message).toContain('ELASTICSEARCH_CLOUD_ID cannot be used');
  });
});
