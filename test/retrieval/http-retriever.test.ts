/** The retriever over HTTP against a service that misbehaves on command. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Failure } from '../../core/failure.js';
import { httpRetriever } from '../../retrieval/http/http-retriever.js';
import { retrieverContract } from '../../testing/retriever-contract.js';
import { holdsTo } from '../support/contract.js';
import { failureOf } from '../support/failure-of.js';
import {
  type SearchServer,
  type ServedPassage,
  startSearchServer,
  type Trouble,
} from '../support/search-server.js';

const passages: ServedPassage[] = [
  { id: '1', title: 'Heron', text: 'A heron stands in the water and waits for fish.' },
  { id: "o'brien", title: 'Otter', text: 'The fur of the otter keeps the cold water out.' },
  { id: '東京', title: null, text: 'A kingfisher dives for small fish.' },
];

let server: SearchServer;
beforeEach(async () => {
  server = await startSearchServer(passages);
});
afterEach(() => server.close());

/** What a search fails with when the service answers so. */
async function failureOn(trouble: Trouble): Promise<Failure> {
  server.trouble = trouble;
  const timeoutMs = trouble === 'hang' ? 200 : 30_000;
  return failureOf(httpRetriever({ url: server.url, timeoutMs }).search('fish', 2));
}

holdsTo(
  retrieverContract({
    open: async () => httpRetriever({ url: server.url }),
    query: 'fish in the water',
  }),
);

describe('a search', () => {
  test('posts query and k, and gives references, best first', async () => {
    const retriever = httpRetriever({ url: `${server.url}/animals?v=1` });
    expect(await retriever.search('fish in water', 2)).toEqual([
      { id: '1', title: 'Heron', score: 3 },
      { id: "o'brien", title: 'Otter', score: 1 },
    ]);
    expect(server.requests).toMatchObject([
      { body: { query: 'fish in water', k: 2 }, path: '/search/animals?v=1' },
    ]);
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('gives each passage once, no more than k, and 1/rank for a score', async () => {
    const body = { passages: [{ id: 'a' }, { id: 'a' }, { id: 'b', title: 'B' }, { id: 'c' }] };
    server.trouble = { status: 200, body: JSON.stringify(body) };
    expect(await httpRetriever({ url: server.url }).search('anything', 2)).toEqual([
      { id: 'a', title: '', score: 1 },
      { id: 'b', title: 'B', score: 0.5 },
    ]);
  });

  test.each(['', ' \n\t'])('for %j finds nothing and asks nobody', async (query) => {
    expect(await httpRetriever({ url: server.url }).search(query, 2)).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('has a mode where the service was said to know it', async () => {
    const plain = httpRetriever({ url: server.url });
    await plain.search('fish', 1, 'bm25');
    const failure = await failureOf(plain.search('fish', 1, 'dense'));
    expect(failure).toMatchObject({ type: 'BadInput', retryable: false });
    const modal = httpRetriever({ url: server.url, modes: ['dense', 'hybrid'] });
    await modal.search('fish', 1, 'hybrid');
    await modal.search('fish', 1);
    expect(server.requests.map(({ body }) => body.mode)).toEqual([undefined, 'hybrid', undefined]);
    expect((await failureOf(modal.search('fish', 1, 'bm25'))).message).toContain('dense, hybrid');
  });

  test('ends with the signal of its caller', async () => {
    server.trouble = 'hang';
    const controller = new AbortController();
    const searching = httpRetriever({ url: server.url }).search(
      'fish',
      1,
      undefined,
      controller.signal,
    );
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error('cancelled'));
    await expect(searching).rejects.toThrow('cancelled');
  });
});

describe('a look-up', () => {
  const expected = [
    { id: '東京', title: '', text: 'A kingfisher dives for small fish.' },
    { id: '1', title: 'Heron', text: 'A heron stands in the water and waits for fish.' },
    { id: '東京', title: '', text: 'A kingfisher dives for small fish.' },
  ];

  test('posts the ids, and gives passages in the order asked, repeated ones too', async () => {
    const retriever = httpRetriever({ url: server.url });
    expect(await retriever.get(['東京', '1', '東京'])).toEqual(expected);
    expect(server.requests.map(({ body }) => body)).toEqual([{ ids: ['東京', '1'] }]);
  });

  test('asks nobody for what a search brought', async () => {
    const retriever = httpRetriever({ url: server.url });
    await retriever.search('fish', 3);
    expect(await retriever.get(['東京', '1', '東京'])).toEqual(expected);
    expect(server.requests).toHaveLength(1);
  });

  test('asks again for what is kept no longer', async () => {
    const retriever = httpRetriever({ url: server.url, cachedPassages: 1 });
    await retriever.search('fish', 3);
    expect(await retriever.get(['東京', '1', '東京'])).toEqual(expected);
    expect(server.requests.slice(1).map(({ body }) => body)).toEqual([{ ids: ['1'] }]);
  });

  test('of many ids is made in several requests', async () => {
    const many = Array.from({ length: 1200 }, (_, n) => ({ id: `${n}`, title: '', text: `${n}` }));
    await server.close();
    server = await startSearchServer(many);
    const ids = many.map(({ id }) => id).reverse();
    const got = await httpRetriever({ url: server.url, cachedPassages: 10 }).get(ids);
    expect(got.map(({ id }) => id)).toEqual(ids);
    expect(server.requests.map(({ body }) => body.ids?.length)).toEqual([500, 500, 200]);
  });

  test.each(['2', '', "' OR 1=1"])('of %j, which is not there', async (id) => {
    const failure = await failureOf(httpRetriever({ url: server.url }).get(['1', id]));
    expect(failure).toMatchObject({ type: 'UnknownPassage', retryable: false });
    expect(failure.message).toContain(JSON.stringify(id));
  });
});

describe('a failure', () => {
  const host = () => new URL(server.url).host;

  test.each<[number, string, boolean]>([
    [401, 'Authentication', false],
    [403, 'Permission', false],
    [404, 'UnknownCorpus', false],
    [422, 'BadRequest', false],
    [429, 'Overloaded', true],
    [500, 'Unexpected', true],
    [501, 'Incompatible', false],
    [503, 'Overloaded', true],
    [504, 'Timeout', true],
  ])('of status %d has a name and a host', async (status, type, retryable) => {
    const failure = await failureOn({
      status,
      body: 'the reason',
      headers: { location: '/', 'retry-after': '3' },
    });
    expect(failure).toMatchObject({ type, retryable, retryAfterMs: 3000 });
    expect(failure.message).toMatch(new RegExp(`${host()}.*HTTP ${status}.*the reason`));
  });

  test('is of the connection when there is none', async () => {
    expect(await failureOn('reset')).toMatchObject({ type: 'Connection', retryable: true });
    await server.close();
    expect((await failureOn('reset')).message).toMatch(/cannot be reached: .*ECONNREFUSED/);
  });

  test('is of time when nothing comes', async () => {
    const failure = await failureOn('hang');
    expect(failure).toMatchObject({ type: 'Timeout', retryable: true });
    expect(failure.message).toBe(`The search service at ${host()} did not answer within 0.2 s.`);
  });

  test('is of form when the answer is another one', async () => {
    expect(await failureOn({ status: 200, body: '<html>' })).toMatchObject({
      type: 'MalformedResponse',
      retryable: true,
    });
    const body = JSON.stringify({ passages: [{ id: '1' }, { id: 7 }] });
    const failure = await failureOn({ status: 200, body });
    expect(failure).toMatchObject({ type: 'Incompatible', retryable: false });
    expect(failure.message).toContain('passages.1.id');
  });

  test('holds none of the secrets that are sent', async () => {
    const secrets = ['name-secret', 'password-secret', 'header-secret', 'query-secret'];
    const url = new URL(`${server.url}?sig=query-secret`);
    Object.assign(url, { username: 'name-secret', password: 'password-secret' });
    const retriever = httpRetriever({ url, headers: { 'x-api-key': 'header-secret' } });
    server.trouble = { status: 401, body: `not allowed: ${secrets.join(' ')}` };
    const failure = await failureOf(retriever.search('fish', 1));
    expect(server.requests[0]?.headers).toMatchObject({
      'x-api-key': 'header-secret',
      authorization: `Basic ${Buffer.from('name-secret:password-secret').toString('base64')}`,
    });
    await server.close();
    const away = await failureOf(retriever.search('fish', 1));
    for (const { message, stack, cause } of [failure, away]) {
      for (const secret of secrets) {
        expect(`${message} ${stack} ${JSON.stringify(cause)} ${cause}`).not.toContain(secret);
      }
    }
  });

  test.each(['', 'search', 'ftp://host/'])('is the url %j', (url) => {
    expect(() => httpRetriever({ url })).toThrow('is not an http(s) URL');
  });
});
