/** Real providers of the AI SDK against a server that misbehaves on command. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import { type AiSdkModels, aiSdkModel } from '../../../llm/ai-sdk/index.js';
import {
  languageModelContract,
  type ReceivedRequest,
} from '../../../testing/language-model-contract.js';
import { never, requestOf } from '../../support/completion.js';
import { holdsTo } from '../../support/contract.js';
import { failureOf } from '../../support/failure-of.js';
import { type ModelServer, type ReplySpec, receivedBy } from '../../support/model-server.js';
import { KEY, serverThatGives } from '../served.js';

const request = requestOf('What is the capital of France?', {
  model: 'some-model',
  maxTokens: 100,
});

interface Provider {
  name: string;
  make(baseURL: string): AiSdkModels;
  /** An answer in the API's form. */
  answer(text: string, reason: 'end' | 'length' | 'filter'): ReplySpec;
  error(message: string): unknown;
  /** What arrived, in the words of the port. */
  received(server: ModelServer): ReceivedRequest[];
  /** What it warns that it leaves out. */
  unsupported?: string[];
}

const providers: Provider[] = [
  {
    name: 'anthropic',
    unsupported: ['seed'],
    make: (baseURL) => createAnthropic({ baseURL, apiKey: KEY }),
    answer: (text, reason) => ({
      status: 200,
      body: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'some-model-2026',
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
        prompt_tokens: 32,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 12 },
      },
    }),
    error: (message) => ({ error: { message } }),
    received: receivedBy,
  },
];

describe.each(providers)('$name', ({ name, make, answer, error, received, unsupported }) => {
  /** A model whose server gives this reply, whatever it is asked. */
  async function served(reply: ReplySpec) {
    const server = await serverThatGives(reply);
    const model = aiSdkModel(make(server.baseUrl), { provider: name, warn: () => {} });
    return { model, server };
  }

  describe('as every model', () => {
    const gets = (reply: ReplySpec) => async () => {
      const { model, server } = await served(reply);
      return { model, requests: () => server.requests.length };
    };
    const fails = (status: number) => gets({ status, body: error('no') });
    const waits = gets({ status: 429, body: error('no'), headers: { 'retry-after': '17' } });
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
          RateLimited: async () => ({ ...(await waits()), retryAfterMs: 17_000 }),
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
      text: 'Paris',
      end: 'finished',
      costUsd: null,
      usage: { promptTokens: 32, cachedPromptTokens: 12, completionTokens: 2 },
      servedModel: 'some-model-2026',
      fingerprint: null,
      ...(unsupported && { unsupported }),
    });
    expect(server.requests.map(({ body }) => body)).toEqual([
      expect.objectContaining({ model: 'some-model', max_tokens: 100, temperature: 0 }),
    ]);
  });

  test('fails with its status and its own words', async () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    const { model } = await served({ status: 400, body: error(message) });
    const failure = await failureOf(model.complete(request, never()));
    expect(failure).toMatchObject({ type: 'ContextTooLong', retryable: false });
    expect(failure.message).toMatch(new RegExp(`${name}.*HTTP 400.*${message}`));
  });
});
