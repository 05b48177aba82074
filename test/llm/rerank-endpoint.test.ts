/** The /rerank endpoint through the real client, against a server that misbehaves. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  createRerankEndpoint,
  type RerankEndpointOptions,
} from '../../llm/openai/rerank-endpoint.js';
import { loadPrices } from '../../llm/prices.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import type { Reranker } from '../../llm/reranker.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { failureOf } from '../support/failure-of.js';
import { type ModelServer, type ReplySpec, startModelServer } from '../support/model-server.js';

const KEY = 'test-key-1234567890';
const prices = await loadPrices();
const documents = ['The river flows.', 'A car drives.', 'A doctor helps.'];
const results = [
  { index: 2, relevance_score: 0.9, document: { text: 'A doctor helps.' } },
  { index: 0, relevance_score: -1.5 },
  { index: 1, relevance_score: 0 },
];
const scores = [-1.5, 0, 0.9];

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function rerankerThatGets(
  reply: ReplySpec,
  options: Partial<RerankEndpointOptions> = {},
): Promise<{ reranker: Reranker; server: ModelServer }> {
  server = await startModelServer({ reply: () => reply });
  const reranker = createRerankEndpoint({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    model: 'bge-reranker-large',
    timeoutMs: 10_000,
    prices,
    ...options,
  });
  return { reranker, server };
}

const answer = (body: object): ReplySpec => ({ status: 200, body });
const never = () => new AbortController().signal;

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
    server = await startModelServer({ reply: () => answer({ results }) });
    const reranker = at(`${server.baseUrl}${end}`);
    expect((await reranker.score('Who?', documents, never())).scores).toEqual(scores);
    expect(server.requests[0]?.path).toBe('/rerank');
  },
);

function at(baseUrl: string): Reranker {
  return createRerankEndpoint({ baseUrl, model: 'own', timeoutMs: 1000, prices });
}

test.each<[string, object, number]>([
  ['llama.cpp and vLLM', { usage: { prompt_tokens: 12, total_tokens: 13 } }, 12],
  ['Jina', { usage: { total_tokens: 13 } }, 13],
  ['Cohere', { meta: { billed_units: { search_units: 1 }, tokens: { input_tokens: 14 } } }, 14],
  ['a server that does not tell', {}, 0],
])('the tokens of %s', async (_, said, tokens) => {
  const { reranker } = await rerankerThatGets(answer({ results, ...said }));
  const { usage } = await reranker.score('Who?', documents, never());
  expect(usage.promptTokens).toBe(tokens);
});

test('no request for no documents, and no price for an unknown model elsewhere', async () => {
  const { reranker, server } = await rerankerThatGets(answer({ results }));
  expect(await reranker.score('Who?', [], never())).toMatchObject({ scores: [], costUsd: 0 });
  expect(server.requests).toHaveLength(0);
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
  test.each<[string, ReplySpec, string, boolean]>([
    ['too few scores', answer({ results: results.slice(1) }), 'MalformedResponse', true],
    [
      'one score twice',
      answer({ results: results.map((one) => ({ ...one, index: 1 })) }),
      'MalformedResponse',
      true,
    ],
    [
      'scores in words',
      answer({ results: results.map((one) => ({ ...one, relevance_score: 'high' })) }),
      'MalformedResponse',
      true,
    ],
    ['no list', answer({ results: null }), 'MalformedResponse', true],
  ])('%s', async (_, reply, type, retryable) => {
    const { reranker, server } = await rerankerThatGets(reply);
    const failure = await failureOf(reranker.score('Who?', documents, never()));
    expect({ type: failure.type, retryable: failure.retryable }).toEqual({ type, retryable });
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
