/** Models of the AI SDK: what is asked of them, and what of a result is read. */
import {
  APICallError,
  type LanguageModelV2,
  LoadAPIKeyError,
  NoSuchModelError,
} from '@ai-sdk/provider';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test, vi } from 'vitest';
import { aiSdkModel } from '../../../llm/ai-sdk/index.js';
import type { CompletionRequest, LanguageModel } from '../../../llm/language-model.js';
import { never } from '../../support/completion.js';
import { failureOf } from '../../support/failure-of.js';

const request: CompletionRequest = {
  model: 'mine-1',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is the capital of France?' },
    { role: 'assistant', content: 'Paris' },
    { role: 'user', content: 'And of Italy?' },
  ],
  temperature: 0.7,
  topP: 0.9,
  maxTokens: 100,
  seed: 7,
};
const ask = (model: LanguageModel, change: Partial<CompletionRequest> = {}) =>
  model.complete({ ...request, ...change }, never());

type V3Result = Extract<
  NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>['doGenerate'],
  { content: unknown }
>;

const result = (change: Partial<V3Result> = {}): V3Result => ({
  content: [{ type: 'text', text: 'Rome' }],
  finishReason: { unified: 'stop', raw: 'end_turn' },
  usage: {
    inputTokens: { total: 1000, noCache: 400, cacheRead: 600, cacheWrite: 0 },
    outputTokens: { total: 10, text: 10, reasoning: undefined },
  },
  warnings: [],
  ...change,
});

const mock = (change: Partial<V3Result> = {}) =>
  new MockLanguageModelV3({ provider: 'mine', modelId: 'mine-1', doGenerate: result(change) });

const generating = (
  doGenerate: MockLanguageModelV3['doGenerate'],
  settings?: Parameters<typeof aiSdkModel>[1],
) => aiSdkModel(new MockLanguageModelV3({ modelId: 'mine-1', doGenerate }), settings);

const callError = (of: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({
    message: 'no',
    url: 'https://models.example/v1',
    requestBodyValues: {},
    ...of,
  });

const failureOn = (model: LanguageModel, change: Partial<CompletionRequest> = {}) =>
  failureOf(ask(model, change));

describe('a request', () => {
  test('goes out as one call with everything that decides the answer', async () => {
    const model = mock();
    const controller = new AbortController();
    await aiSdkModel(model).complete(request, controller.signal);
    expect(model.doGenerateCalls).toEqual([
      {
        prompt: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'What is the capital of France?' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Paris' }] },
          { role: 'user', content: [{ type: 'text', text: 'And of Italy?' }] },
        ],
        maxOutputTokens: 100,
        temperature: 0.7,
        topP: 0.9,
        seed: 7,
        abortSignal: controller.signal,
      },
    ]);
  });

  test('goes to the model of its name, which may be loaded first', async () => {
    const names: string[] = [];
    const model = aiSdkModel(
      async (name) => {
        names.push(name);
        return mock();
      },
      { provider: 'many' },
    );
    await ask(model, { model: 'one' });
    await ask(model, { model: 'two' });
    expect({ names, provider: model.provider }).toEqual({
      names: ['one', 'two'],
      provider: 'many',
    });
  });

  test('for another model than the one handed in is refused', async () => {
    const model = mock();
    const failure = await failureOn(aiSdkModel(model), { model: 'other' });
    expect(failure).toMatchObject({ type: 'UnknownModel', retryable: false });
    expect(failure.message).toContain('"mine-1"');
    expect(model.doGenerateCalls).toEqual([]);
  });
});

describe('a result', () => {
  test('is text with usage, cost, served model and fingerprint', async () => {
    const model = mock({
      response: { modelId: 'mine-1-2026', body: { system_fingerprint: 'fp_1' } },
    });
    const price = { prompt: 1, cachedPrompt: 0.1, completion: 2 };
    expect(await ask(aiSdkModel(model, { prices: { 'mine-1': price } }))).toEqual({
      text: 'Rome',
      end: 'finished',
      usage: { promptTokens: 1000, cachedPromptTokens: 600, completionTokens: 10 },
      costUsd: (400 + 60 + 20) / 1e6,
      servedModel: 'mine-1-2026',
      fingerprint: 'fp_1',
    });
  });

  test('of a model without a price has no cost; a known one has', async () => {
    expect((await ask(aiSdkModel(mock()))).costUsd).toBeNull();
    const known = aiSdkModel(() => mock(), { provider: 'mine' });
    expect((await ask(known, { model: 'gpt-4o-mini' })).costUsd).toBeCloseTo(0.000111, 9);
  });

  test('of specification v2 is read as well', async () => {
    const model: LanguageModelV2 = {
      specificationVersion: 'v2',
      provider: 'older',
      modelId: 'mine-1',
      supportedUrls: {},
      doStream: () => expect.fail('it streams'),
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'Ro' }],
        finishReason: 'length',
        usage: { inputTokens: 20, outputTokens: 3, totalTokens: 23, cachedInputTokens: 5 },
        warnings: [{ type: 'unsupported-setting', setting: 'seed' }],
      }),
    };
    const warn = vi.fn();
    expect(await ask(aiSdkModel(model, { warn }))).toMatchObject({
      text: 'Ro',
      end: 'cut',
      usage: { promptTokens: 20, cachedPromptTokens: 5, completionTokens: 3 },
    });
    expect(warn.mock.calls.flat()).toEqual(['Model "mine-1" at older: seed is not supported']);
  });

  test('is its text parts alone, without thoughts', async () => {
    const model = mock({
      content: [
        { type: 'reasoning', text: 'Italy, then.' },
        { type: 'text', text: 'Ro' },
        { type: 'text', text: 'me' },
      ],
    });
    expect((await ask(aiSdkModel(model))).text).toBe('Rome');
  });

  const inputTokens = { total: 1000 };
  test.each([
    {},
    { inputTokens },
    { inputTokens: 1000, outputTokens: '10' },
    { inputTokens, outputTokens: { total: -1 } },
    { inputTokens: { total: null }, outputTokens: { total: 10 } },
  ])('without both counts tells none: %j', async (usage) => {
    const model = aiSdkModel(mock({ usage: usage as never }), {
      prices: { 'mine-1': { prompt: 1, cachedPrompt: 1, completion: 1 } },
    });
    expect(await ask(model)).toMatchObject({ usage: null, costUsd: null });
  });

  test('with warnings is an answer, and each is told once', async () => {
    const warn = vi.fn();
    const model = aiSdkModel(mock({ warnings: [{ type: 'unsupported', feature: 'seed' }] }), {
      warn,
    });
    expect((await ask(model)).text).toBe('Rome');
    await ask(model);
    expect(warn).toHaveBeenCalledExactlyOnceWith('Model "mine-1" at mine: seed is not supported');
  });

  test('that is none is a failure', async () => {
    const model = aiSdkModel(() => ({ ...mock(), doGenerate: async () => null }), {
      provider: 'mine',
    });
    expect(await failureOn(model)).toMatchObject({ type: 'MalformedResponse', retryable: true });
  });
});

describe('an error', () => {
  const silent = Object.assign(new Error('silence'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
  const silence = callError({ isRetryable: true, cause: silent });
  const missing = Object.assign(new Error('no package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const unknown = new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' });
  test.each<[string, unknown, string, boolean]>([
    ['without an answer', callError({ isRetryable: true }), 'Connection', true],
    ['after five minutes of silence', silence, 'Timeout', true],
    ['without a key', new LoadAPIKeyError({ message: 'no key' }), 'Authentication', false],
    ['of an unknown name', unknown, 'UnknownModel', false],
    ['of a package that is not there', missing, 'BadInput', false],
    ['of any other kind', new TypeError('oops'), 'Unexpected', true],
    ['not to be retried', callError({ statusCode: 503, isRetryable: false }), 'Overloaded', false],
    ['to be retried', callError({ statusCode: 400, isRetryable: true }), 'BadRequest', true],
  ])('%s has a name', async (_, error, type, retryable) => {
    const failure = await failureOn(generating(() => Promise.reject(error)));
    expect(failure).toMatchObject({ type, retryable });
  });

  test('holds no secret that is known or has the form of one', async () => {
    const error = callError({
      statusCode: 401,
      message: 'wrong key: my-own-key-1 or AIzaSyA1234567890abcdefghijklmnopqrs or sk-ant-12345',
      responseHeaders: { 'x-key': 'my-own-key-1' },
      requestBodyValues: { key: 'my-own-key-1' },
    });
    const secrets = ['my-own-key-1'];
    const failure = await failureOn(generating(() => Promise.reject(error), { secrets }));
    const all = `${failure.message} ${failure.stack} ${JSON.stringify(failure.cause)} ${failure.cause}`;
    expect(failure.type).toBe('Authentication');
    expect(all).not.toMatch(/my-own|AIza|sk-ant/);
    expect(failure.message).not.toContain('OPENAI');
  });
});

test('fields of the body are refused: a provider of the AI SDK would drop them', async () => {
  const model = mock({});
  await expect(ask(aiSdkModel(model), { extraBody: { top_k: 1 } })).rejects.toMatchObject({
    type: 'Incompatible',
    message: expect.stringMatching(/extraBody.*where it is made/),
    billed: false,
  });
  expect(model.doGenerateCalls).toEqual([]);
  await ask(aiSdkModel(model), { extraBody: {} });
});

describe('a schema and stop sequences', () => {
  const schema = { name: 'verdict', schema: { type: 'object' } };

  test('are passed on in the words of the interface', async () => {
    const model = mock({});
    await ask(aiSdkModel(model), { schema, stop: ['\n\n'], reasoningEffort: 'low' });
    expect(model.doGenerateCalls[0]).toMatchObject({
      stopSequences: ['\n\n'],
      responseFormat: { type: 'json', ...schema },
      providerOptions: { [model.provider]: { reasoningEffort: 'low' } },
    });
  });

  test('a provider that asks without the schema has refused it', async () => {
    const warnings = [{ type: 'unsupported' as const, feature: 'responseFormat' }];
    await expect(ask(aiSdkModel(mock({ warnings })), { schema })).rejects.toMatchObject({
      type: 'SchemaRefused',
      retryable: false,
    });
  });
});
