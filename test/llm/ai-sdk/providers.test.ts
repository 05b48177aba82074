/** Real providers of the AI SDK against a server that misbehaves on command. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../core/failure.js';
import { type AiSdkModels, aiSdkModel } from '../../../llm/ai-sdk/index.js';
import type { CompletionRequest, LanguageModel } from '../../../llm/language-model.js';
import {
  languageModelContract,
  type ReceivedRequest,
} from '../../../testing/language-model-contract.js';
import { holdsTo } from '../../support/contract.js';
import {
  type ModelServer,
  type ReplySpec,
  receivedBy,
  startModelServer,
} from '../../support/model-server.js';

const KEY = 'test-key-1234567890';
const request: CompletionRequest = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is the capital of France?' },
  ],
  temperature: 0,
  maxTokens: 100,
};

interface Provider {
  name: string;
  make(baseURL: string): AiSdkModels;
  /** An answer in the API's form. */
  answer(text: string, reason: 'end' | 'length' | 'filter'): ReplySpec;
  error(message: string): unknown;
  /** What arrived, in the words of the port. */
  received(server: ModelServer): ReceivedRequest[];
}

const providers: Provider[] = [
  {
    name: 'anthropic',
    make: (baseURL) => createAnthropic({ baseURL, apiKey: KEY }),
    answer: (text, reason) => ({
      status: 200,
      body: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'some-model-2026' },
        content: [{ type: 'text', text }],
        stop_reason: { end: 'end_turn', length: 'max_tokens', filter: 'refusal' }[reason],
        usage: { input_tokens: 20, output_tokens: 2, cache_read_input_tokens: 12 },
      },
    }),
    error: (message) => ({ type: 'error', error: { type: 'some_error', message } }),
    // Messages are lists of parts, and those of the system stand beside them.
    received: (server) =>
      server.requests.map(({ body: { system, messages, max_tokens } }) => ({
        messages: [{ role: 'system', content: system }, ...messages].map(({ role, content }) => ({
          role: role as 'user',
          content: Object(content)
            .map((part: { text: string }) => part.text)
            .join(''),
        })),
        maxTokens: max_tokens as number,
      })),
  },
  {
    name: 'openai-compatible',
    make: (baseURL) => createOpenAICompatible({ name: 'near', baseURL, apiKey: KEY }),
    answer: (text, reason) => ({
      text,
      model: 'some-model-2026',
      finishReason: { end: 'stop', length: 'length', filter: 'content_filter' }[reason],
      usage: {
        ...{ prompt_tokens: 32, completion_tokens: 2 },
        prompt_tokens_details: { cached_tokens: 12 },
      },
    }),
    error: (message) => ({ error: { message } }),
    received: receivedBy,
  },
];

describe.each(providers)('$name', ({ name, make, answer, error, received }) => {
  /** A model whose server gives this reply, whatever it is asked. */
  async function modelThatGets(
    reply: ReplySpec,
  ): Promise<{ model: LanguageModel; server: ModelServer }> {
    const server = await startModelServer({ reply: () => reply });
    onTestFinished(() => server.close());
    const model = aiSdkModel(make(server.baseUrl), { provider: name, warn: () => {} });
    return { model, server };
  }

  /** What one call fails with, after exactly one request. */
  async function failureOn(reply: ReplySpec): Promise<Failure> {
    const { model, server } = await modelThatGets(reply);
    const failure = await model.complete(request, new AbortController().signal).then(
      () => expect.fail('it succeeded'),
      (thrown: unknown) => thrown,
    );
    expect(server.requests).toHaveLength(1);
    if (!(failure instanceof Failure)) throw failure;
    expect(`${failure.message} ${failure.cause}`).not.toContain(KEY);
    return failure;
  }

  describe('as every model', () => {
    const gets = (reply: ReplySpec) => async () => {
      const server = await startModelServer({ reply: () => reply });
      const model = aiSdkModel(make(server.baseUrl), { provider: name, warn: () => {} });
      return { model, requests: () => server.requests.length, close: () => server.close() };
    };
    const fails = (status: number) => gets({ status, body: error('no') });
    holdsTo(
      languageModelContract({
        async answers() {
          const server = await startModelServer({ reply: () => answer('Paris', 'end') });
          return {
            model: aiSdkModel(make(server.baseUrl), { provider: name, warn: () => {} }),
            received: () => received(server),
            usage: { promptTokens: 32, completionTokens: 2 },
            close: () => server.close(),
          };
        },
        runsOver: gets(answer('Par', 'length')),
        hangs: gets('hang'),
        fails: {
          Authentication: fails(401),
          Permission: fails(403),
          UnknownModel: fails(404),
          BadRequest: fails(400),
          RateLimited: fails(429),
          Overloaded: fails(503),
          ContentRefused: gets(answer('', 'filter')),
          Connection: gets('reset'),
          MalformedResponse: gets('malformed'),
        },
        secrets: [KEY],
      }),
    );
  });

  test('answers', async () => {
    const { model, server } = await modelThatGets(answer('Paris', 'end'));
    const all = { ...request, topP: 0.9, seed: 7 };
    expect(await model.complete(all, new AbortController().signal)).toEqual({
      ...{ text: 'Paris', cut: false, costUsd: null },
      usage: { promptTokens: 32, cachedPromptTokens: 12, completionTokens: 2 },
      servedModel: 'some-model-2026',
      fingerprint: null,
    });
    expect(server.requests.map(({ body }) => body)).toEqual([
      expect.objectContaining({ model: 'some-model', max_tokens: 100, temperature: 0 }),
    ]);
  });

  test.each<[number, string, string, boolean]>([
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'ContextTooLong', false],
    [401, `invalid key ${KEY.replace('test', 'sk')}`, 'Authentication', false],
    [529, 'overloaded', 'Overloaded', true],
  ])('answers %d "%s"', async (status, message, type, retryable) => {
    const failure = await failureOn({ status, body: error(message) });
    expect(failure).toMatchObject({ type, retryable });
    expect(failure.message).toContain(name);
    expect(failure.message).toContain(`HTTP ${status}`);
    if (!message.includes('key')) expect(failure.message).toContain(message);
  });

  test('asks to wait, in seconds or milliseconds', async () => {
    const headers = { 'retry-after': '17' };
    const wait = await failureOn({ status: 429, body: error('slow down'), headers });
    expect(wait.retryAfterMs).toBe(17_000);
    const longer = await failureOn({ status: 503, headers: { 'retry-after-ms': '90000' } });
    expect(longer).toMatchObject({ type: 'Overloaded', retryAfterMs: 60_000 });
  });
});
