/** The flex tier of a chat completions endpoint: asked for, served, ignored, refused. */
import { expect, test } from 'vitest';
import type { CompletionRequest } from '../../llm/language-model.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { cacheKey } from '../../llm/response-cache.js';
import { never, requestOf } from '../support/completion.js';
import type { ReplySpec } from '../support/model-server.js';
import { serverThatGives } from './served.js';

const half = { prompt: 1, cachedPrompt: 0.1, completion: 2 };
const prices = new Map([['m', { prompt: 2, cachedPrompt: 0.2, completion: 4, flex: half }]]);
const usage = { prompt_tokens: 1_000_000, completion_tokens: 1_000_000 };
const request = requestOf('What is the capital of France?', { tier: 'flex' });

async function modelThatGets(...replies: ReplySpec[]) {
  const { baseUrl, requests } = await serverThatGives(...replies);
  const model = createOpenAiModel({ baseUrl, timeoutMs: 10_000, prices });
  const ask = (change: Partial<CompletionRequest> = {}) =>
    model.complete({ ...request, ...change }, never());
  return { ask, requests };
}

const answer = (tier?: string): ReplySpec => ({ text: 'Paris', usage, ...(tier && { tier }) });

test.each([
  ['served', 'flex', 3, 'flex'],
  ['not served', 'default', 6, 'default'],
  ['ignored', undefined, 6, 'unsaid'],
])('%s: it costs what was served', async (_, said, costUsd, served) => {
  const { ask, requests } = await modelThatGets(answer(said));
  expect(await ask()).toMatchObject({ costUsd, tier: { served, standardUsd: 6 } });
  expect(requests[0]?.body.service_tier).toBe('flex');
});

test.each([
  ['OpenAI', { message: 'Unsupported service_tier: flex', type: 'invalid_request_error' }],
  ['by the name', { message: 'Not for this model.', param: 'service_tier' }],
  ['Azure', { message: 'Flex is not available for this model.' }],
])('refused, as %s says it: the next attempt asks without, and says so', async (_, error) => {
  const { ask, requests } = await modelThatGets({ status: 400, body: { error } }, answer());
  await expect(ask()).rejects.toMatchObject({ type: 'ParameterRefused', retryAfterMs: 0 });
  expect(await ask()).toMatchObject({ costUsd: 6, tier: { served: 'refused' } });
  expect(requests[1]?.body).not.toHaveProperty('service_tier');
});

test('a call that asks for no tier has none', async () => {
  const { ask, requests } = await modelThatGets(answer('default'));
  expect(await ask({ tier: undefined } as object)).not.toHaveProperty('tier');
  expect(requests[0]?.body).not.toHaveProperty('service_tier');
});

test('an answer stands for the same request at every tier', () => {
  const { tier: _, ...usual } = request;
  const parts = { provider: 'p', sample: 0, attempt: 0 };
  expect(cacheKey({ ...parts, request })).toBe(cacheKey({ ...parts, request: usual }));
  const warmer = { ...request, temperature: 1 };
  expect(cacheKey({ ...parts, request: warmer })).not.toBe(cacheKey({ ...parts, request }));
});
