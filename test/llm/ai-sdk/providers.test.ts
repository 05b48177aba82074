/** Real providers of the AI SDK against a server that misbehaves on command. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Failure } from '../../../core/failure.js';
import { type AiSdkModels, aiSdkModel } from '../../../llm/ai-sdk/index.js';
import type { CompletionRequest } from '../../../llm/language-model.js';
import {
  languageModelContract,
  type ReceivedRequest,
} from '../../../testing/language-model-contract.js';
import { never } from '../../support/completion.js';
import { holdsTo } from '../../support/contract.js';
import { failureOf } from '../../support/failure-of.js';
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
  async function served(reply: ReplySpec) {
    const server = await startModelServer({ reply: () => reply });
    onTestFinished(() => server.close());
    const model = aiSdkModel(make(server.baseUrl), { provider: name, warn: () => {} });
    return { model, server };
  }

  /** What one call fails with, after exactly one request. */
  async function failureOn(reply: ReplySpec): Promise<Failure> {
    const { model, server } = await served(reply);
    const failure = await failureOf(model.complete(request, never()));
    expect(server.requests).toHaveLength(1);
    expect(`${failure.message} ${failure.cause}`).not.toContain(KEY);
    return failure;
  }

  describe('as every model', () => {
    const gets = (reply: ReplySpec) => async () => {
      const { model, server } = await served(reply);
      return { model, requests: () => server.requests.length };
    };
    const fails = (status: number) => gets({ status, body: error('no') });
    holdsTo(
      languageModelContract({
        async answers() {
          const { model, server } = await served(answer('Paris', 'end'));
          const usage = { promptTokens: 32, completionTokens: 2 };
          return { model, received: () => received(server), usage };
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
    const { model, server } = await served(answer('Paris', 'end'));
    const all = { ...request, topP: 0.9, seed: 7 };
    expect(await model.complete(all, never())).toEqual({
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
