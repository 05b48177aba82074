/** Attempts of a call through the real `openai` client, whose server misbehaves. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import { ANSWER_BYTES } from '../../llm/bounded-fetch.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall } from '../../steps/call.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { attempt, attempts } from '../support/activity.js';
import { type ReplySpec, startModelServer } from '../support/model-server.js';
import { testPorts } from '../support/ports.js';
import { keysOf } from '../support/stores.js';
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
  status,
  body: { error: { message, ...more } },
});
const refusal: ReplySpec = { status: 429, headers: { 'retry-after-ms': '1' } };
const boom = error(500, 'boom');

/** An answer that was paid for and broke off. */
const brokenBy = (choice: object): ReplySpec => {
  const message = { role: 'assistant', content: 'Bel' };
  const usage = { prompt_tokens: 70, completion_tokens: 5 };
  return { status: 200, body: { choices: [{ message, ...choice }], usage } };
};
const broken = brokenBy({ finish_reason: 'insufficient_system_resource' });

describe('a provider that recovers', () => {
  it.each<[string, ReplySpec, number?]>([
    ['429', refusal],
    ['500', boom],
    ['a reset connection', 'reset'],
    ['a cut body', 'cut-body'],
    ['a malformed body', 'malformed'],
    ['half an answer that broke off', broken],
    ['an answer with an error in it', brokenBy({ error: { message: 'upstream is gone' } })],
    // Long enough for an answer on a busy machine.
    ['no answer in time', 'hang', 2],
    ['half an answer in time', 'hang-body', 2],
  ])('answers after %s', async (_, reply, timeoutSeconds = 60) => {
    const { value, requests } = await asked([reply], { timeoutSeconds });
    expect(value).toBe('Bell');
    expect(requests).toHaveLength(2);
  });

  it('is paid for each answer that broke off, which is never served', async () => {
    const store = new MemoryStore();
    const { llm } = await modelThatGets([broken, broken]);
    const ports = testPorts(llm, { responses: new ResponseCache(store) }) as Ports;
    const { value } = await attempts(() => answer(ports), 20);
    const estimated = { attempts: 2, repeated: 0, promptTokens: 140, completionTokens: 10 };
    expect(value).toMatchObject({ value: 'Bell', usage: { cached: false, estimated } });
    expect(value?.usage.promptTokens).toBeGreaterThan(140);
    const kept = await Promise.all((await keysOf(store, 'v1-')).map((key) => store.get(key)));
    expect(kept.map((text) => JSON.parse(text ?? '').completion)).toMatchObject([
      { text: 'Bell', end: 'finished' },
    ]);
    const failed = await asked([broken, broken, broken], { attempts: 3 });
    expect(failed.failure).toMatchObject({ type: 'MalformedResponse' });
    expect(failed.failure?.message).toMatch(
      /broke off its answer\. It is asked again\. It said: insufficient_system_resource Given up after 3 failed attempts\.$/,
    );
    expect(failed.failure?.details).toMatchObject([
      { estimated: { ...estimated, attempts: 3, promptTokens: 210, completionTokens: 15 } },
    ]);
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
    ['Incompatible', { status: 307, headers: { location: '/elsewhere' } }, 'redirects'],
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
    text: '<think>Bell or Gray? Let me',
    finishReason: 'length',
    usage: { prompt_tokens: 20, completion_tokens },
  });
  const { llm, requests } = await modelThatGets([spent(64), spent(8320)]);
  const ask = () => answerInProcess('noRetrieval', { question: 'Who?' }, testPorts(llm));
  const { outcome, flags } = await ask();
  expect(outcome).toBe('unreadable');
  expect(flags.map(({ kind, detail }) => `${kind}${detail.split(':').at(-1)}`)).toEqual([
    'reasked spent its 64 tokens thinking',
    'fallback spent its 8320 tokens thinking',
  ]);
  expect(await ask()).toMatchObject({ answer: 'Bell', usage: { calls: 1 } });
  const [small = 0, ...limits] = requests.map(({ body }) => Number(body.max_tokens));
  expect(limits).toEqual([2 * small + 8192, small + 8192]);
});

it('asks at the tier of the step, and tells at which it was served', async () => {
  const { llm, requests } = await modelThatGets([{ text: 'Bell', tier: 'flex' }]);
  const input = { question: 'Who?', tier: { read: 'flex' } } as const;
  const { steps, usage } = await answerInProcess('noRetrieval', input, testPorts(llm));
  expect(requests[0]?.body.service_tier).toBe('flex');
  expect(steps.read?.tiers).toEqual({ flex: 1 });
  expect(usage.standardUsd).toBe(usage.costUsd);
});

it('uses an answer that ended by a word nobody knows, says so, and asks another run anew', async () => {
  const { llm, requests } = await modelThatGets([{ text: 'Bell', finishReason: 'moonset' }]);
  const ports = testPorts(llm) as Ports;
  const first = await answerInProcess('noRetrieval', { question: 'Who?' }, ports);
  expect(first).toMatchObject({ outcome: 'answered', answer: 'Bell' });
  expect(first.flags).toEqual([
    { kind: 'unknownEnd', step: 'read', detail: expect.stringContaining('"moonset"') },
  ]);
  expect(requests).toHaveLength(1);
});

it('serves an answer that ended so within its run alone', async () => {
  const { llm, requests } = await modelThatGets(
    Array(4).fill({ text: 'Bell', finishReason: 'moonset' }),
  );
  const ports = testPorts(llm) as Ports;
  const cached: unknown[] = [];
  for (const run of ['one', 'one', 'other', 'other', undefined]) {
    const asking = () => answer(ports, run === undefined ? {} : { run });
    const { value } = await attempt(asking, { id: `${cached.length}` });
    cached.push(value?.usage.cached);
  }
  expect(cached).toEqual([false, true, false, true, false]);
  expect(requests).toHaveLength(3);
});

it('believes counts that cannot be, and says so', async () => {
  const usage = { prompt_tokens: 1e300, completion_tokens: 7 };
  const { llm } = await modelThatGets([{ text: 'Bell', usage }]);
  const result = await answerInProcess('noRetrieval', { question: 'Who?' }, testPorts(llm));
  expect(result).toMatchObject({ outcome: 'answered', usage: { promptTokens: 1e300 } });
  expect(result.flags).toMatchObject([
    { kind: 'impossibleUsage', detail: expect.stringContaining('1e+300 tokens read, 7 written') },
  ]);
});
