/** The embeddings endpoint through the real `openai` client, against a server that misbehaves. */
import { describe, expect, test } from 'vitest';
import {
  createOpenAiEmbeddings,
  type OpenAiEmbeddingsOptions,
} from '../../llm/openai/openai-embeddings.js';
import { never } from '../support/completion.js';
import { failureOf } from '../support/failure-of.js';
import type { ReplySpec } from '../support/model-server.js';
import { KEY, serverThatGives, USUAL } from './served.js';

const { prices } = USUAL;
const texts = ['The river flows.', 'A car drives.'];
const vectors = [
  [1, 0, 0.5],
  [0, 1, -0.5],
];

async function modelThatGets(reply: ReplySpec, options: Partial<OpenAiEmbeddingsOptions> = {}) {
  const server = await serverThatGives(reply);
  const { baseUrl } = server;
  const named = { ...USUAL, baseUrl, model: 'text-embedding-3-small', ...options };
  return { model: createOpenAiEmbeddings(named), server };
}

test('one request for all texts, with the usage and its price', async () => {
  const { model, server } = await modelThatGets({ vectors, usage: { prompt_tokens: 50_000 } });
  expect(await model.embed(texts, never())).toEqual({
    vectors,
    usage: { promptTokens: 50_000, cachedPromptTokens: 0, completionTokens: 0 },
    costUsd: 0.001,
  });
  expect(server.requests.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/embeddings',
      body: { model: 'text-embedding-3-small', input: texts, encoding_format: 'float' },
    },
  ]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test.each(['/embeddings', '/chat/completions/', '/embeddings?region=eu'])(
  'a base URL that ends in %s is taken without it',
  async (end) => {
    const server = await serverThatGives({ vectors });
    const baseUrl = `${server.baseUrl}${end}`;
    const model = createOpenAiEmbeddings({ ...USUAL, baseUrl, model: 'own' });
    expect(await model.embed(texts, never())).toMatchObject({ vectors });
    expect(server.requests[0]?.path).toBe('/embeddings');
  },
);

test('the length of vectors is asked for where it is chosen', async () => {
  const { model, server } = await modelThatGets({ vectors }, { dimensions: 3 });
  await model.embed(texts, never());
  expect(server.requests[0]?.body).toMatchObject({ dimensions: 3 });
});

test('a server on this machine costs nothing, an unknown model elsewhere is not priced', async () => {
  const { model } = await modelThatGets({ vectors, usage: null }, { model: 'own' });
  expect((await model.embed(texts, never())).costUsd).toBe(0);
  const elsewhere = createOpenAiEmbeddings({
    apiKey: KEY,
    model: 'own',
    timeoutMs: 1000,
    prices,
    fetch: async () => Response.json({ data: vectors.map((embedding) => ({ embedding })) }),
  });
  expect(elsewhere.provider).toBe('openai');
  expect(await elsewhere.embed(texts, never())).toMatchObject({ vectors, costUsd: null });
});

test('vectors out of order are put in order', async () => {
  const data = [
    { index: 1, embedding: vectors[1] },
    { index: 0, embedding: vectors[0] },
  ];
  const { model } = await modelThatGets({ status: 200, body: { data } });
  expect((await model.embed(texts, never())).vectors).toEqual(vectors);
});

describe('a failure has a name', () => {
  test.each<[string, ReplySpec]>([
    ['too few vectors', { vectors: vectors.slice(1) }],
    ['vectors of two lengths', { vectors: [[1], [1, 2]] }],
    ['empty vectors', { vectors: [[], []] }],
    ['base64 in place of numbers', { vectors: ['AACAPw==', 'AAA='] }],
    ['no list', { status: 200, body: { data: null } }],
  ])('%s', async (_, reply) => {
    const { model, server } = await modelThatGets(reply);
    const failure = await failureOf(model.embed(texts, never()));
    expect(failure).toMatchObject({ type: 'MalformedResponse', retryable: true });
    expect(failure.message).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test('and a message that names the variables of embeddings', async () => {
    const { model } = await modelThatGets({ status: 404 }, { model: 'unheard-of' });
    const failure = await failureOf(model.embed(texts, never()));
    expect(failure.message).toContain('There is no model "unheard-of"');
    expect(failure.message).toContain('OPENAI_EMBEDDING_BASE_URL');
    expect(() => createOpenAiEmbeddings({ model: 'm', timeoutMs: 1, prices })).toThrow(
      /OPENAI_EMBEDDING_API_KEY/,
    );
    expect(() =>
      createOpenAiEmbeddings({ model: 'm', baseUrl: 'localhost', timeoutMs: 1, prices }),
    ).toThrow(/OPENAI_EMBEDDING_BASE_URL/);
  });
});
