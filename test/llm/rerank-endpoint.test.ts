/** The /rerank endpoint through the real client, against a server that misbehaves. */
import { describe, expect, test } from 'vitest';
import {
  createRerankEndpoint,
  type RerankEndpointOptions,
} from '../../llm/openai/rerank-endpoint.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import type { Reranker } from '../../llm/reranker.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { never } from '../support/completion.js';
import { failureOf } from '../support/failure-of.js';
import type { ReplySpec } from '../support/model-server.js';
import { KEY, serverThatGives, USUAL } from './served.js';

const { prices } = USUAL;
const documents = ['The river flows.', 'A car drives.', 'A doctor helps.'];
const results = [
  { index: 2, relevance_score: 0.9, document: { text: 'A doctor helps.' } },
  { index: 0, relevance_score: -1.5 },
  { index: 1, relevance_score: 0 },
];
const scores = [-1.5, 0, 0.9];

async function rerankerThatGets(reply: ReplySpec, options: Partial<RerankEndpointOptions> = {}) {
  const server = await serverThatGives(reply);
  const { baseUrl } = server;
  const named = { ...USUAL, baseUrl, model: 'bge-reranker-large', ...options };
  return { reranker: createRerankEndpoint(named), server };
}

const answer = (body: object): ReplySpec => ({ status: 200, body });

test('one request for all documents, whose scores come back in their order', async () => {
  const { reranker, server } = await rerankerThatGets(
    answer({ results, usage: { total_tokens: 30 } }),
  );
  expect(await reranker.score('Who helps?', documents, never())).toEqual({
    scores,
    usage: { promptTokens: 30, cachedPromptTokens: 0, completionTokens: 0 },
    costUsd: 0,
  });
  expect(server.requests.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/rerank',
      body: { model: 'bge-reranker-large', query: 'Who helps?', documents, top_n: 3 },
    },
  ]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(reranker.provider).toBe(server.baseUrl);
});

test.each(['/rerank', '/rerank/', '/rerank?region=eu', '?region=eu', '/'])(
  'an URL that ends in %s',
  async (end) => {
    const { server } = await rerankerThatGets(answer({ results }));
    const reranker = at(`${server.baseUrl}${end}`);
    expect((await reranker.score('Who?', documents, never())).scores).toEqual(scores);
    expect(server.requests[0]?.path).toBe('/rerank');
  },
);

function at(baseUrl: string): Reranker {
  return createRerankEndpoint({ baseUrl, model: 'own', timeoutMs: 1000, prices });
}

test.each<[string, object, number | undefined]>([
  ['llama.cpp and vLLM', { usage: { prompt_tokens: 12, total_tokens: 13 } }, 12],
  ['Jina', { usage: { total_tokens: 13 } }, 13],
  ['Cohere', { meta: { billed_units: { search_units: 1 }, tokens: { input_tokens: 14 } } }, 14],
  ['a server that does not tell', {}, undefined],
])('the tokens of %s', async (_, said, tokens) => {
  const { reranker } = await rerankerThatGets(answer({ results, ...said }));
  const { usage } = await reranker.score('Who?', documents, never());
  expect(usage?.promptTokens).toBe(tokens);
});

test('an unknown model elsewhere has no price', async () => {
  const elsewhere = createRerankEndpoint({
    baseUrl: 'https://rerank.example.com/v2/rerank',
    model: 'own',
    timeoutMs: 1000,
    prices,
    fetch: async (url) => {
      expect(String(url)).toBe('https://rerank.example.com/v2/rerank');
      return Response.json({ results });
    },
  });
  expect(await elsewhere.score('Who?', documents, never())).toMatchObject({
    scores,
    costUsd: null,
  });
});

describe('a failure has a name', () => {
  const spoiled = (more: object) => results.map((one) => ({ ...one, ...more }));

  test.each<[string, object]>([
    ['too few scores', { results: results.slice(1) }],
    ['one score twice', { results: spoiled({ index: 1 }) }],
    ['scores in words', { results: spoiled({ relevance_score: 'high' }) }],
    ['no list', { results: null }],
  ])('%s', async (_, body) => {
    const { reranker, server } = await rerankerThatGets(answer(body));
    const failure = await failureOf(reranker.score('Who?', documents, never()));
    expect(failure).toMatchObject({ type: 'MalformedResponse', retryable: true });
    expect(failure.message).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test('and a message that names the variables of the cross-encoder', async () => {
    const { reranker } = await rerankerThatGets({ status: 404 }, { model: 'unheard-of' });
    const failure = await failureOf(reranker.score('Who?', documents, never()));
    expect(failure.message).toMatch(/There is no model "unheard-of".*DURABLE_RAG_RERANK_URL/);
    expect(() => at('localhost')).toThrow(/DURABLE_RAG_RERANK_URL/);
  });
});

test('a ranking is kept under all that decides it, and a damaged one is made anew', async () => {
  const { reranker, server } = await rerankerThatGets(answer({ results }));
  const store = new MemoryStore();
  const cache = new RerankCache(reranker, store);
  const score = (query = 'Who?', some = documents) => cache.score(query, some, never());
  expect(await score()).toMatchObject({ scores, cached: false });
  expect(await score()).toMatchObject({ scores, cached: true, costUsd: 0 });
  expect(server.requests).toHaveLength(1);
  expect((await score('Where?')).cached).toBe(false);
  expect((await score('Who?', documents.toReversed())).cached).toBe(false);
  for await (const { key } of store.list('')) await store.set(key, '[1, "damaged"');
  expect(await score()).toMatchObject({ scores, cached: false });
});
