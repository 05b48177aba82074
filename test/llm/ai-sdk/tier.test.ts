/** The flex tier of models of the AI SDK: asked for where a provider knows it, and paid as served. */
import { APICallError } from '@ai-sdk/provider';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, it } from 'vitest';
import { aiSdkModel } from '../../../llm/ai-sdk/index.js';
import type { CompletionRequest } from '../../../llm/language-model.js';
import { never, requestOf } from '../../support/completion.js';

const request = requestOf('What is the capital of Italy?', { model: 'mine-1' });
const flex = { ...request, tier: 'flex' } as const;
const half = { prompt: 1, cachedPrompt: 0.1, completion: 4 };
const prices = { 'mine-1': { prompt: 2, cachedPrompt: 0.2, completion: 8, flex: half } };
const usage = {
  inputTokens: { total: 1000, noCache: 1000, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 100, text: 100, reasoning: undefined },
};
const STANDARD = (1000 * 2 + 100 * 8) / 1e6;

function setUp(said: object = {}) {
  const one = {
    content: [{ type: 'text' as const, text: 'Rome' }],
    finishReason: { unified: 'stop' as const, raw: 'stop' },
    usage,
    warnings: [],
    ...said,
  };
  const model = new MockLanguageModelV3({ modelId: 'mine-1', doGenerate: one });
  const llm = aiSdkModel(model, { prices, warn: () => {} });
  return { model, ask: (what: CompletionRequest) => llm.complete(what, never()) };
}

it('is asked for in the options of the provider that knows it, and of no call without it', async () => {
  const { model, ask } = setUp();
  await ask(flex);
  await ask(request);
  const asked = model.doGenerateCalls.map(({ providerOptions }) => providerOptions);
  expect(asked).toEqual([{ openai: { serviceTier: 'flex' } }, undefined]);
});

it.each([
  ['its metadata', { providerMetadata: { openai: { serviceTier: 'flex' } } }],
  ['the body of the answer', { response: { body: { service_tier: 'flex' } } }],
])('costs what flex costs where %s names it', async (_, said) => {
  const { costUsd, tier } = await setUp(said).ask(flex);
  expect(costUsd).toBeCloseTo(STANDARD / 2, 12);
  expect(tier).toEqual({ served: 'flex', standardUsd: STANDARD });
});

it.each([
  ['default', { providerMetadata: { azure: { serviceTier: 'default' } } }],
  ['unsaid', { providerMetadata: { anthropic: { cacheCreationInputTokens: 0 } } }],
  ['unsaid', {}],
])('costs the usual price where the answer says %s', async (served, said) => {
  const { costUsd, tier } = await setUp(said).ask(flex);
  expect({ costUsd, tier }).toEqual({
    costUsd: STANDARD,
    tier: { served, standardUsd: STANDARD },
  });
});

it('says nothing of a tier that was not asked for', async () => {
  const said = { providerMetadata: { openai: { serviceTier: 'default' } } };
  expect(await setUp(said).ask(request)).not.toHaveProperty('tier');
});

it('is left out once a provider has refused it, and counts as refused', async () => {
  const { model, ask } = setUp();
  const answer = model.doGenerate;
  model.doGenerate = async (call) => {
    if (call.providerOptions === undefined) return answer(call);
    model.doGenerateCalls.push(call);
    const message = 'Flex is not available for this model.';
    throw new APICallError({
      message,
      url: 'http://x',
      requestBodyValues: {},
      statusCode: 400,
      isRetryable: false,
      responseBody: JSON.stringify({ error: { message, param: 'service_tier' } }),
    });
  };
  await expect(ask(flex)).rejects.toMatchObject({ type: 'ParameterRefused', retryAfterMs: 0 });
  const { costUsd, tier } = await ask(flex);
  expect({ costUsd, tier }).toEqual({
    costUsd: STANDARD,
    tier: { served: 'refused', standardUsd: STANDARD },
  });
});
