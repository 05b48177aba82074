/** What models are given once they have shown that they think; the same through both adapters. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { aiSdkModel } from '../../llm/ai-sdk/index.js';
import type { CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { never, requestOf } from '../support/completion.js';
import type { ReplySpec } from '../support/model-server.js';
import { serverThatGives } from './served.js';

const request = requestOf('Who?', { maxTokens: 64 });

interface Settings {
  reasoningAllowance?: number;
}

const adapters: [string, (baseUrl: string, settings: Settings) => LanguageModel][] = [
  [
    'chat completions',
    (baseUrl, settings) =>
      createOpenAiModel({ baseUrl, timeoutMs: 10_000, prices: new Map(), ...settings }),
  ],
  [
    'the AI SDK',
    (baseURL, settings) => {
      const near = createOpenAICompatible({ name: 'near', baseURL });
      return aiSdkModel(near, { provider: 'near', warn: () => {}, ...settings });
    },
  ],
];

describe.each(adapters)('through %s', (_, make) => {
  async function talk(replies: ReplySpec[], settings: Settings = {}) {
    const server = await serverThatGives(...replies, { text: 'Bell' });
    const model = make(server.baseUrl, settings);
    const ask = async (change: Partial<CompletionRequest> = {}) => {
      const completion = await model
        .complete({ ...request, ...change }, never())
        .catch((failure: unknown) => failure);
      const { model: _, messages, ...sent } = Object(server.requests.at(-1)?.body);
      return { completion, sent, max_tokens: sent.max_tokens, requests: server.requests.length };
    };
    return ask;
  }

  test.each<[string, ReplySpec]>([
    ['cut in the middle of thoughts', { text: '<think>Hm', finishReason: 'length' }],
    ['thoughts before the answer', { text: '<think>Hm</think>Bell' }],
    [
      'hidden thoughts',
      {
        text: 'Bell',
        usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 8 } },
      },
    ],
    [
      'thoughts that only the total counts',
      { text: 'Bell', usage: { prompt_tokens: 12, completion_tokens: 2, total_tokens: 334 } },
    ],
  ])('a model has room from the first reply on that shows it: %s', async (_, reply) => {
    const ask = await talk([reply]);
    expect((await ask()).max_tokens).toBe(64);
    expect((await ask()).max_tokens).toBe(64 + 8192);
    expect((await ask({ model: 'another' })).max_tokens).toBe(64);
  });

  test('an asking after one that was nothing but thinking has room on any worker', async () => {
    const ask = await talk([]);
    expect((await ask({ thinks: true })).max_tokens).toBe(64 + 8192);
    expect((await ask()).max_tokens).toBe(64);
  });

  test('an allowance that was set is that of every call, none included', async () => {
    const thinking: ReplySpec = { text: '<think>Hm', finishReason: 'length' };
    const some = await talk([thinking], { reasoningAllowance: 1000 });
    expect([(await some()).max_tokens, (await some()).max_tokens]).toEqual([1064, 1064]);
    const none = await talk([thinking], { reasoningAllowance: 0 });
    expect([(await none()).max_tokens, (await none()).max_tokens]).toEqual([64, 64]);
  });

  test('what is refused is left out at the next attempt, and a limit renamed, with room', async () => {
    const refusing = (param: string): ReplySpec => {
      const message = `Unsupported parameter: '${param}' is not supported with this model.`;
      return { status: 400, body: { error: { message, code: 'unsupported_parameter', param } } };
    };
    const ask = await talk([refusing('max_tokens'), refusing('temperature')]);
    const refused = { type: 'ParameterRefused', retryable: true, retryAfterMs: 0 };
    expect(await ask({ seed: 1 })).toMatchObject({
      completion: refused,
      sent: { max_tokens: 64, temperature: 0, seed: 1 },
    });
    expect(await ask({ seed: 1 })).toMatchObject({
      completion: refused,
      sent: { max_completion_tokens: 64 + 8192, temperature: 0 },
    });
    expect(await ask({ seed: 1 })).toMatchObject({
      completion: { text: 'Bell' },
      requests: 3,
      sent: { max_completion_tokens: 64 + 8192, seed: 1 },
    });
    expect((await ask({ seed: 1 })).sent).not.toHaveProperty('temperature');
    expect(await ask({ model: 'another' })).toMatchObject({
      sent: { max_tokens: 64, temperature: 0 },
    });
  });
});

test('the provider of OpenAI is given the limit in its own words', async () => {
  const model = new MockLanguageModelV3({
    provider: 'openai.chat',
    modelId: 'm',
    doGenerate: () => {
      throw Object.assign(new Error('no'), {
        name: 'AI_APICallError',
        statusCode: 400,
        responseBody: JSON.stringify({ error: { message: "Unsupported parameter: 'max_tokens'" } }),
      });
    },
  });
  const asked = aiSdkModel(model);
  for (const _ of [1, 2]) await asked.complete(request, never()).catch(() => {});
  expect(model.doGenerateCalls[1]).not.toHaveProperty('maxOutputTokens');
  expect(model.doGenerateCalls[1]?.providerOptions?.openai).toMatchObject({
    maxCompletionTokens: 8256,
  });
});
