/** Attempts of a call through the real `openai` client, whose server misbehaves. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { scripted } from '../../interpreters/scripted.js';
import { ANSWER_BYTES } from '../../llm/bounded-fetch.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import type { SentCall } from '../../steps/call.js';
import { attempts } from '../support/activity.js';
import { type ReplySpec, startModelServer } from '../support/model-server.js';
import { testPorts } from '../support/ports.js';
import { answer } from './paying.js';

/** A model whose server gives these replies first, and then answers. */
async function modelThatGets(replies: readonly ReplySpec[]) {
  const server = await startModelServer({ reply: (_, n) => replies[n] ?? { text: 'Bell' } });
  onTestFinished(() => server.close());
  const { baseUrl, requests } = server;
  const llm = createOpenAiModel({ baseUrl, timeoutMs: 60_000, prices: new Map() });
  return { llm, requests };
}

/** What comes of a call, which is tried again for as long as it may be. */
async function asked(replies: readonly ReplySpec[], call: Partial<SentCall> = {}) {
  const { llm, requests } = await modelThatGets(replies);
  const ports = testPorts(llm) as Ports;
  const { value, failure, times } = await attempts(() => answer(ports, call), 20);
  expect(requests).toHaveLength(times);
  return { value: value?.value, failure, requests };
}

const error = (status: number, message: string, more: object = {}): ReplySpec => ({
  ...{ status, body: { error: { message, ...more } } },
});
const refusal: ReplySpec = { status: 429, headers: { 'retry-after-ms': '1' } };
const boom = error(500, 'boom');

describe('a provider that recovers', () => {
  it.each<[string, ReplySpec, number?]>([
    ['429', refusal],
    ['500', boom],
    ['a reset connection', 'reset'],
    ['a cut body', 'cut-body'],
    ['a malformed body', 'malformed'],
    // Long enough for an answer on a busy machine.
    ['no answer in time', 'hang', 2],
    ['half an answer in time', 'hang-body', 2],
  ])('answers after %s', async (_, reply, timeoutSeconds = 60) => {
    const { value, requests } = await asked([reply], { timeoutSeconds });
    expect(value).toBe('Bell');
    expect(requests).toHaveLength(2);
  });

  it('is sent a refused parameter no more, which is no failed attempt', async () => {
    const message = "Unsupported parameter: 'seed' is not supported with this model.";
    const reply = error(400, message, { code: 'unsupported_parameter', param: 'seed' });
    const { value, requests } = await asked([reply], { attempts: 1 });
    expect(value).toBe('Bell');
    expect(requests.map(({ body }) => 'seed' in body)).toEqual([true, false]);
  });
});

describe('a provider that does not recover', () => {
  it.each<[string, ReplySpec, string]>([
    ['QuotaExhausted', error(429, 'Pay.', { code: 'insufficient_quota' }), 'Pay.'],
    ['SchemaRefused', error(400, "'response_format' is not supported"), '--outputs text'],
    ['Incompatible', { status: 307, headers: { location: '/elsewhere' } }, 'sends elsewhere'],
    // Of spaces: its end is behind the bound, wherever that lies.
    ['AnswerTooLong', { status: 200, body: ' '.repeat(2 * ANSWER_BYTES) }, 'in one answer'],
  ])('is asked once where it fails with %s', async (type, reply, said) => {
    const { failure, requests } = await asked([reply], { form: 'schema' });
    expect(failure).toMatchObject({ type, message: expect.stringContaining(said) });
    expect(requests).toHaveLength(1);
  });

  it('is asked as often as it may fail, which refusals for rate are no part of', async () => {
    const wait = [refusal, refusal];
    const bounds = { attempts: 2, refusals: 5, outageSeconds: 0 };
    const failed = await asked([...wait, boom, ...wait, boom], bounds);
    expect(failed.failure?.message).toMatch(/boom.* Given up after 2 failed attempts\.$/);
    const refused = await asked([...wait, boom, ...wait, refusal], bounds);
    expect(refused.failure).toMatchObject({ type: 'RateLimited' });
    expect(refused.failure?.message).toMatch(/Given up after 5 refusals\.$/);
    const silent = await asked(['hang', 'hang'], { attempts: 2, timeoutSeconds: 1 });
    expect(silent.failure).toMatchObject({ type: 'Timeout' });
    const aborted = () => silent.requests.map((request) => request.aborted);
    await expect.poll(aborted).toEqual([true, true]);
  });
});

it('gives a model that spends its tokens thinking more room, the next question from the first', async () => {
  const spent = (completion_tokens: number): ReplySpec => ({
    ...{ text: '<think>Bell or Gray? Let me', finishReason: 'length' },
    usage: { prompt_tokens: 20, completion_tokens },
  });
  const { llm, requests } = await modelThatGets([spent(64), spent(8320), spent(8448)]);
  const ask = () => scripted('noRetrieval', { question: 'Who?' }, testPorts(llm));
  const { outcome, flags } = await ask();
  expect(outcome).toBe('unreadable');
  expect(flags.map(({ kind, detail }) => `${kind}${detail.split(':').at(-1)}`)).toEqual([
    'reasked spent its 64 tokens thinking',
    'reasked spent its 8320 tokens thinking',
    'fallback spent its 8448 tokens thinking',
  ]);
  expect(await ask()).toMatchObject({ answer: 'Bell', usage: { calls: 1 } });
  const [small = 0, ...limits] = requests.map(({ body }) => Number(body.max_tokens));
  expect(limits).toEqual([2 * small + 8192, 4 * small + 8192, small + 8192]);
});

it('asks at the tier of the step, and tells at which it was served', async () => {
  const { llm, requests } = await modelThatGets([{ text: 'Bell', tier: 'flex' }]);
  const input = { question: 'Who?', tier: { read: 'flex' } } as const;
  const { steps, usage } = await scripted('noRetrieval', input, testPorts(llm));
  expect(requests[0]?.body.service_tier).toBe('flex');
  expect(steps.read?.tiers).toEqual({ flex: 1 });
  expect(usage.standardUsd).toBe(usage.costUsd);
});

it('believes counts that cannot be, and says so', async () => {
  const usage = { prompt_tokens: 1e300, completion_tokens: 7 };
  const { llm } = await modelThatGets([{ text: 'Bell', usage }]);
  const result = await scripted('noRetrieval', { question: 'Who?' }, testPorts(llm));
  expect(result).toMatchObject({ outcome: 'answered', usage: { promptTokens: 1e300 } });
  expect(result.flags).toMatchObject([
    { kind: 'impossibleUsage', detail: expect.stringContaining('1e+300 tokens read, 7 written') },
  ]);
});
