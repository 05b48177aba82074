/** The client of an endpoint against a server that misbehaves on command. */

import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mayBeBilled } from '../../activities/runtime/paid-call.js';
import type { CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { openAiModel } from '../../llm/openai/index.js';
import { createOpenAiModel, type OpenAiModelOptions } from '../../llm/openai/openai-model.js';
import { never, requestOf } from '../support/completion.js';
import { failureOf } from '../support/failure-of.js';
import { type ReplySpec, startModelServer } from '../support/model-server.js';
import { gate } from '../support/run.js';
import { KEY, serverThatGives, USUAL } from './served.js';

const { prices } = USUAL;
const request = requestOf('What is the capital of France?', {
  model: 'some-model',
  maxTokens: 100,
});

async function modelThatGets(reply: ReplySpec, options: Partial<OpenAiModelOptions> = {}) {
  const server = await serverThatGives(reply);
  const { baseUrl } = server;
  return { model: createOpenAiModel({ ...USUAL, baseUrl, ...options }), server };
}

const ask = (model: LanguageModel, change: Partial<CompletionRequest> = {}) =>
  model.complete({ ...request, ...change }, never());

/** Everything of an error that could end up in a log or a history. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const { message, stack, cause = '' } = error;
  return [message, stack, JSON.stringify(error), everythingIn(cause)].join();
}

test('an answer is text with usage, cost, served model and fingerprint', async () => {
  const { model, server } = await modelThatGets({
    text: 'Paris',
    model: 'gpt-4o-mini-2024-07-18',
    fingerprint: 'fp_1',
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 600 },
    },
  });
  expect(await ask(model, { model: 'gpt-4o-mini', topP: 0.9, seed: 7 })).toEqual({
    text: 'Paris',
    end: 'finished',
    usage: { promptTokens: 1000, cachedPromptTokens: 600, completionTokens: 10 },
    costUsd: (400 * 0.15 + 600 * 0.075 + 10 * 0.6) / 1e6,
    servedModel: 'gpt-4o-mini-2024-07-18',
    fingerprint: 'fp_1',
  });
  expect(server.requests.map((recorded) => recorded.body)).toEqual([
    {
      model: 'gpt-4o-mini',
      messages: request.messages,
      max_tokens: 100,
      temperature: 0,
      top_p: 0.9,
      seed: 7,
    },
  ]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

describe('a misbehaving server', () => {
  const plainText = { 'content-type': 'text/plain' };
  const busy = { error: { code: 429, message: 'upstream is busy' } };
  const tooLong = { detail: "This model's maximum context length is 4096 tokens" };

  test.each<[string, ReplySpec, string, boolean]>([
    ['text', { status: 200, body: 'It works!', headers: plainText }, 'MalformedResponse', true],
    ['an error with status 200', { status: 200, body: busy }, 'RateLimited', true],
    ['a bare error of FastAPI', { status: 400, body: tooLong }, 'ContextTooLong', false],
  ])('%s', async (_, reply, type, retryable) => {
    const { model, server } = await modelThatGets(reply);
    const { retryAfterMs, ...failure } = await failureOf(ask(model));
    expect(failure).toMatchObject({ type, retryable });
    expect(retryAfterMs).toBeUndefined();
    expect(server.requests).toHaveLength(1);
    expect(server.aborted).toBe(0);
  });

  test('an answer that comes later than fetch itself would wait', async () => {
    const before = getGlobalDispatcher();
    // Five minutes where nobody lowers them.
    setGlobalDispatcher(new Agent({ headersTimeout: 100, bodyTimeout: 100 }));
    try {
      const { opened, open } = gate();
      const reply = () => opened.then(() => ({ text: 'Paris' }));
      const server = await startModelServer({ reply });
      onTestFinished(() => server.close());
      const url = server.baseUrl;
      const model = createOpenAiModel({ baseUrl: url, timeoutMs: 600_000, prices });
      const asked = ask(model);
      asked.catch(() => {});
      await expect.poll(() => server.requests.length).toBe(1);
      // This begins later, and is what gives up after five minutes.
      await expect(fetch(url, { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed');
      open();
      expect(await asked).toMatchObject({ text: 'Paris' });
    } finally {
      setGlobalDispatcher(before);
    }
  });

  test('a server that is not there', async () => {
    const { model, server } = await modelThatGets('reset');
    await server.close();
    const failure = await failureOf(ask(model));
    expect(failure).toMatchObject({ type: 'Connection', retryable: true });
    expect(failure.message).toContain('ECONNREFUSED');
    // Nothing was sent, so that nothing can be billed.
    expect(mayBeBilled(failure)).toBe(false);
    expect(failure.message).toContain('OPENAI_BASE_URL');
  });
});

describe('secrets', () => {
  const leak = { error: { message: `wrong key ${KEY} or sk-abcdef123 or Bearer ${KEY}` } };

  test.each<[string, ReplySpec]>([
    ['in an error', { status: 401, body: leak }],
    [
      'in a refused parameter',
      { status: 400, body: { error: { message: `unsupported seed ${KEY}` } } },
    ],
    ['in a page that is not JSON', { status: 200, body: `<p>${KEY}</p>` }],
    ['in a refusal', { text: null, refusal: `I will not repeat ${KEY}` }],
  ])('%s appear nowhere', async (_, reply) => {
    const { model } = await modelThatGets(reply);
    const failure = await failureOf(ask(model, { seed: 1 }));
    const everything = everythingIn(failure);
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain('sk-abcdef123');
    expect(failure.message).toContain('http://127.0.0.1');
  });

  test('of a base URL go out as a header and are named nowhere', async () => {
    const { server } = await modelThatGets({ status: 401, body: leak });
    const baseUrl = `${server.baseUrl.replace('//', '//me:hunter22@')}?api-key=query-secret`;
    const model = createOpenAiModel({ baseUrl, timeoutMs: 10_000, prices });
    const failure = await failureOf(ask(model));
    expect(model.provider).toBe(server.baseUrl);
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:hunter22')}`);
    expect(everythingIn(failure)).not.toMatch(/hunter22|query-secret/);
  });

  test('of the environment are not sent to a server that was given none', async () => {
    const { model, server } = await modelThatGets({ text: 'Paris' }, { apiKey: undefined });
    expect(await ask(model)).toMatchObject({ text: 'Paris', costUsd: 0 });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('openai-organization');
  });
});

test.each(['/chat/completions', '/chat/completions/', '/chat/completions?region=eu', '//', ''])(
  'a base URL that ends in "%s" is the same endpoint',
  async (end) => {
    const { baseUrl, requests } = await serverThatGives({ text: 'Paris' });
    const model = createOpenAiModel({ baseUrl: `${baseUrl}${end}`, timeoutMs: 10_000, prices });
    expect(await ask(model)).toMatchObject({ text: 'Paris' });
    expect(requests[0]?.path).toBe('/chat/completions');
    // So the response cache serves what was paid for at either.
    expect(model.provider).toBe(baseUrl);
  },
);

test.each<[string, unknown, string | undefined]>([
  ['told', 'DeepInfra', 'DeepInfra'],
  ['told by a name with spaces', 'Google AI Studio', 'Google AI Studio'],
  ['not told', undefined, undefined],
  ['no name', { order: ['a'] }, undefined],
  ['empty', '', undefined],
])('the host behind a router is kept: %s', async (_, provider, host) => {
  const body = { choices: [{ message: { content: 'Paris' }, finish_reason: 'stop' }], provider };
  const { baseUrl } = await serverThatGives({ status: 200, body });
  const completion = await ask(createOpenAiModel({ baseUrl, timeoutMs: 10_000, prices }));
  expect(completion.host).toBe(host);
});

test('fields of the body are sent as they are; one with the secret of a header is not', async () => {
  const { baseUrl, requests } = await serverThatGives({ text: 'Paris' });
  const headers = { 'x-gateway': 'tango-seven' };
  const model = openAiModel({ baseUrl, headers });
  const extraBody = { chat_template_kwargs: { enable_thinking: false }, top_k: 5 };
  await ask(model, { extraBody });
  expect(requests[0]?.body).toMatchObject(extraBody);
  const failure = await failureOf(ask(model, { extraBody: { note: 'tango-seven' } }));
  expect(failure.message).toBe(
    'Bad input. extraBody.note: contains a configured secret, which would be stored in histories and manifests; leave it out',
  );
  expect(requests).toHaveLength(1);
});

describe('an endpoint behind a gateway', () => {
  const headers = { 'api-key': 'azure-key-1', 'x-team': 'team-secret' };

  test('is sent the headers and the query, and no key of ours', async () => {
    const server = await serverThatGives({ text: 'Paris' });
    const query = { 'api-version': '2024-10-21' };
    const baseUrl = `${server.baseUrl}/deployments/small?region=west`;
    const urls: string[] = [];
    const watching: typeof fetch = (url, init) => {
      urls.push(String(url));
      return fetch(url, init);
    };
    const model = openAiModel({ baseUrl, headers, query, fetch: watching });
    expect(await ask(model)).toMatchObject({ text: 'Paris' });
    expect(server.requests[0]?.headers).toMatchObject(headers);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(urls.map((url) => url.replace(server.baseUrl, ''))).toEqual([
      '/deployments/small/chat/completions?region=west&api-version=2024-10-21',
    ]);
    expect(model.provider).toBe(`${server.baseUrl}/deployments/small`);
  });

  test('shows none of them in a failure, and has the name that it was given', async () => {
    const message = 'team-secret may not use azure-key-1 of tenant-77';
    const server = await serverThatGives({ status: 403, body: { error: { message } } });
    const named = { provider: 'gateway/fast', query: { tenant: 'tenant-77' } };
    const model = openAiModel({ baseUrl: server.baseUrl, headers, ...named });
    const failure = await failureOf(ask(model));
    expect(failure.message).toContain('at gateway/fast');
    expect(everythingIn(failure)).not.toMatch(/azure-key-1|team-secret|tenant-77/);
  });

  test('has the prices of the table, and those that it was given', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    const reply = (served: string): ReplySpec => ({ text: 'Paris', model: served, usage });
    const server = await serverThatGives(reply('gpt-4o-mini-2024-07-18'), reply('mine'));
    const prices = { mine: { prompt: 2, cachedPrompt: 1, completion: 3 } };
    const model = openAiModel({ baseUrl: server.baseUrl, prices });
    expect((await ask(model)).costUsd).toBe(0.15);
    expect((await ask(model)).costUsd).toBe(2);
  });
});

test('OpenAI itself needs a key and says which variable', () => {
  expect(() => createOpenAiModel({ timeoutMs: 1, prices })).toThrow(/OPENAI_API_KEY/);
  expect(() => createOpenAiModel({ baseUrl: 'localhost', timeoutMs: 1, prices })).toThrow(
    /OPENAI_BASE_URL/,
  );
});

test('reasoning models of OpenAI get their parameters from the first call', async () => {
  const bodies: unknown[] = [];
  const model = createOpenAiModel({
    apiKey: KEY,
    timeoutMs: 10_000,
    prices,
    fetch: async (url, init) => {
      bodies.push([String(url), JSON.parse(String(init?.body))]);
      return Response.json({ choices: [{ message: { content: 'Paris' } }] });
    },
  });
  expect(model.provider).toBe('openai');
  // A known price, but no usage to multiply it with: the cost is unknown, not zero.
  expect(await ask(model, { model: 'gpt-5-mini' })).toMatchObject({ text: 'Paris', costUsd: null });
  expect(bodies).toEqual([
    [
      'https://api.openai.com/v1/chat/completions',
      { model: 'gpt-5-mini', messages: request.messages, max_completion_tokens: 8292 },
    ],
  ]);
});
