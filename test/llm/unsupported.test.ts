/** Parameters that an answer came without, since the provider does not support them. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { aiSdkModel } from '../../llm/ai-sdk/index.js';
import { checkedCompletion } from '../../llm/cache-entry.js';
import type { CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { never, requestOf } from '../support/completion.js';
import { serverThatGives } from './served.js';

const request = requestOf('Who?', { maxTokens: 64, temperature: 0.5, seed: 7, topP: 0.9 });
const refusing = (message: string) => ({ status: 400, body: { error: { message } } });

const adapters: [string, (baseUrl: string) => LanguageModel][] = [
  [
    'chat completions',
    (baseUrl) => createOpenAiModel({ baseUrl, timeoutMs: 10_000, prices: new Map() }),
  ],
  [
    'the AI SDK',
    (baseURL) => {
      const near = createOpenAICompatible({ name: 'near', baseURL });
      return aiSdkModel(near, { provider: 'near', warn: () => {} });
    },
  ],
];

describe.each(adapters)('through %s', (_, make) => {
  test('each that the endpoint refuses is named from the next answer on, and no other', async () => {
    const { baseUrl } = await serverThatGives(
      { text: 'Bell' },
      refusing("Unsupported parameter: 'temperature' is not supported with this model."),
      { text: 'Bell' },
      refusing('Unrecognized request argument supplied: seed'),
      { text: 'Bell' },
    );
    const model = make(baseUrl);
    const ask = () => model.complete(request, never());
    expect(await ask()).not.toHaveProperty('unsupported');
    await expect(ask()).rejects.toMatchObject({ type: 'ParameterRefused' });
    expect(await ask()).toMatchObject({ unsupported: ['temperature'] });
    await expect(ask()).rejects.toMatchObject({ type: 'ParameterRefused' });
    expect(await ask()).toMatchObject({ unsupported: ['temperature', 'seed'] });
    // Of another model nothing is known.
    const other = await model.complete({ ...request, model: 'other' }, never());
    expect(other).not.toHaveProperty('unsupported');
  });

  test('a limit that is sent under another name, and what was not asked for, are not', async () => {
    const { baseUrl, requests } = await serverThatGives(
      refusing("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refusing('top_p is deprecated for this model.'),
      { text: 'Bell' },
    );
    const model = make(baseUrl);
    const ask = ({ topP: _, ...rest }: CompletionRequest) => model.complete(rest, never());
    await expect(ask(request)).rejects.toMatchObject({ type: 'ParameterRefused' });
    await expect(model.complete(request, never())).rejects.toMatchObject({
      type: 'ParameterRefused',
    });
    expect(await ask(request)).not.toHaveProperty('unsupported');
    expect(requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 64 + 8192, seed: 7 });
  });
});

test.each<[string, Partial<CompletionRequest>, string[]]>([
  ['gpt-5', {}, ['temperature', 'topP']],
  ['o4-mini', { stop: ['\n'], logprobs: true }, ['temperature', 'topP', 'stop', 'logprobs']],
  ['ft:o3-mini:lab::1', { reasoningEffort: 'low' }, ['temperature', 'topP']],
])("what OpenAI's %s is known to refuse is named from the first answer on", async (...row) => {
  const [model, asked, unsupported] = row;
  const { baseUrl, requests } = await serverThatGives({ text: 'Bell' });
  const openAi = createOpenAiModel({
    apiKey: 'k',
    timeoutMs: 10_000,
    prices: new Map(),
    fetch: (url, init) => fetch(String(url).replace('https://api.openai.com/v1', baseUrl), init),
  });
  const told = await openAi.complete({ ...request, ...asked, model }, never());
  expect(told).toMatchObject({ unsupported });
  expect(requests[0]?.body).not.toHaveProperty('temperature');
});

describe('what a provider of the AI SDK warns about', () => {
  const usage = { inputTokens: 9, outputTokens: 1, totalTokens: 10 };
  const said = { content: [{ type: 'text' as const, text: 'Bell' }], usage };
  const ask = (model: Parameters<typeof aiSdkModel>[0], change: object = {}) =>
    aiSdkModel(model, { provider: 'p', warn: () => {} }).complete(
      { ...request, model: 'mock-model-id', ...change },
      never(),
    );

  test.each<[string, { feature: string }[], string[]]>([
    ['one', [{ feature: 'seed' }], ['seed']],
    [
      'several',
      [{ feature: 'stopSequences' }, { feature: 'temperature' }],
      ['temperature', 'stop'],
    ],
    ['the same twice', [{ feature: 'topP' }, { feature: 'topP' }], ['topP']],
    ['what nobody asked for', [{ feature: 'frequencyPenalty' }], []],
  ])('%s is named, in version 3 and in version 2', async (_, named, unsupported) => {
    const warnings = named.map((one) => ({ type: 'unsupported' as const, ...one }));
    const v3 = new MockLanguageModelV3({
      doGenerate: { ...said, warnings, finishReason: { unified: 'stop', raw: 'stop' } } as never,
    });
    const settings = named.map(({ feature: setting }) => ({
      type: 'unsupported-setting',
      setting,
    }));
    const v2 = {
      specificationVersion: 'v2',
      provider: 'p',
      modelId: 'mock-model-id',
      doGenerate: async () => ({ ...said, warnings: settings, finishReason: 'stop' }),
    };
    const expected = unsupported.length > 0 ? unsupported : undefined;
    expect((await ask(v3)).unsupported).toEqual(expected);
    expect((await ask(v2)).unsupported).toEqual(expected);
  });

  test('a feature that works in another way, and a remark, are none', async () => {
    const warnings = [
      { type: 'compatibility' as const, feature: 'temperature' },
      { type: 'other' as const, message: 'seed is not supported' },
    ];
    const model = new MockLanguageModelV3({
      doGenerate: { ...said, warnings, finishReason: { unified: 'stop', raw: 'stop' } } as never,
    });
    expect(await ask(model)).not.toHaveProperty('unsupported');
  });

  test('log probabilities are no part of the interface', async () => {
    const model = new MockLanguageModelV3({
      doGenerate: {
        ...said,
        warnings: [],
        finishReason: { unified: 'stop', raw: 'stop' },
      } as never,
    });
    expect(await ask(model, { logprobs: true })).toMatchObject({ unsupported: ['logprobs'] });
  });
});

test('a model of your own can name parameters of the request, and nothing else', () => {
  const completion = {
    text: 'Bell',
    end: 'finished',
    costUsd: 0,
    servedModel: 'm',
    fingerprint: null,
    usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 1 },
  };
  const given = (unsupported: unknown) =>
    checkedCompletion('LanguageModel.complete', { ...completion, unsupported });
  expect(given(['seed']).unsupported).toEqual(['seed']);
  expect(() => given(['temprature'])).toThrow(/unsupported/);
});
