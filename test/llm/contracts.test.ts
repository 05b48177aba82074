/** Our models hold to the contracts that others can run over theirs. */
import { describe } from 'vitest';
import type { FailureType } from '../../core/failure.js';
import { createOpenAiEmbeddings } from '../../llm/openai/openai-embeddings.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { createRerankEndpoint } from '../../llm/openai/rerank-endpoint.js';
import { loadPrices } from '../../llm/prices.js';
import { languageModelContract } from '../../testing/language-model-contract.js';
import type { ProviderParts } from '../../testing/provider-scenario.js';
import { embeddingModelContract, rerankerContract } from '../../testing/text-model-contracts.js';
import { holdsTo } from '../support/contract.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { type ReplySpec, receivedBy, startModelServer } from '../support/model-server.js';

const apiKey = 'test-key-1234567890';
const prices = await loadPrices();
const error = (status: number, message = 'no', code?: string): ReplySpec => ({
  status,
  body: { error: { message: `${message} ${apiKey}`, code } },
});

const failures: Partial<Record<FailureType, ReplySpec>> = {
  Authentication: error(401),
  Permission: error(403),
  BadRequest: error(400),
  RateLimited: error(429),
  QuotaExhausted: error(429, 'You exceeded your current quota', 'insufficient_quota'),
  Overloaded: error(503),
  Timeout: 'hang',
  Connection: 'reset',
  MalformedResponse: 'malformed',
};

/** Scenarios of a model behind our server, which answers so. */
function behindServer<M>(
  reply: ReplySpec,
  make: (options: { baseUrl: string; timeoutMs: number }) => M,
): ProviderParts<M> {
  const gets = (spec: ReplySpec, timeoutMs: number) => async () => {
    const server = await startModelServer({ reply: () => spec });
    const model = make({ baseUrl: server.baseUrl, timeoutMs });
    return { model, requests: () => server.requests.length, close: () => server.close() };
  };
  const fails = Object.entries(failures).map(([type, spec]) => [
    type,
    gets(spec, spec === 'hang' ? 200 : 10_000),
  ]);
  return {
    answers: gets(reply, 10_000),
    hangs: gets('hang', 10_000),
    fails: Object.fromEntries(fails),
    secrets: [apiKey],
  };
}

describe('chat completions', () => {
  const make = (options: { baseUrl: string; timeoutMs: number }) =>
    createOpenAiModel({ ...options, apiKey, prices });
  const { answers: runsOver } = behindServer({ text: 'Par', finishReason: 'length' }, make);
  const headers = { 'retry-after': '7' };
  const waits = async () => ({
    ...(await behindServer({ status: 429, headers }, make).answers()),
    retryAfterMs: 7000,
  });
  const refuses = behindServer({ text: null, refusal: 'I will not.' }, make).answers;
  const usage = { prompt_tokens: 20, completion_tokens: 2 };
  const { answers: _, ...parts } = behindServer({ text: 'Paris', usage }, make);
  holdsTo(
    languageModelContract({
      ...parts,
      async answers() {
        const server = await startModelServer({ reply: () => ({ text: 'Paris', usage }) });
        return {
          model: make({ baseUrl: server.baseUrl, timeoutMs: 10_000 }),
          received: () => receivedBy(server),
          usage: { promptTokens: 20, completionTokens: 2 },
          close: () => server.close(),
        };
      },
      runsOver,
      takes: ['schema', 'stop'],
      fails: { ...parts.fails, ContentRefused: refuses, RateLimited: waits },
    }),
  );
});

describe('the embeddings endpoint', () => {
  const vectors = [
    [1, 0],
    [0, 1],
    [0.5, 0.5],
  ];
  holdsTo(
    embeddingModelContract(
      behindServer({ vectors }, (options) =>
        createOpenAiEmbeddings({ ...options, apiKey, prices, model: 'text-embedding-3-small' }),
      ),
    ),
  );
});

describe('the embeddings of tests', () => {
  holdsTo(embeddingModelContract({ answers: async () => ({ model: fakeEmbeddings() }) }));
});

describe('the rerank endpoint', () => {
  const results = [0, 1, 2].map((index) => ({ index, relevance_score: index / 2 }));
  holdsTo(
    rerankerContract(
      behindServer({ status: 200, body: { results } }, (options) =>
        createRerankEndpoint({ ...options, apiKey, prices, model: 'bge-reranker-large' }),
      ),
    ),
  );
});
