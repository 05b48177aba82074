/** A whole question through the real `openai` client, against a server that misbehaves. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MethodInput } from '../../core/options/input.js';
import { ANSWER_BYTES } from '../../llm/bounded-fetch.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import type { SureOptions } from '../../workflows/sure/options.js';
import { type Harness, startHarness } from '../support/harness.js';
import { handleOf, historyText } from '../support/history.js';
import { type ModelServer, type ReplySpec, startModelServer } from '../support/model-server.js';
import { promptOf, QUESTION, telephoneReply } from '../support/telephone.js';

const KEY = 'sk-test-very-secret-0123456789';

// The tests do little but wait.
vi.setConfig({ maxConcurrency: 30 });

/** What goes wrong, in order, with the questions of a test; each has a number of its own. */
const faults = new Map<string, Fault[]>();
type Fault = { step: ScriptedStep; reply: ReplySpec };

let server: ModelServer;
let harness: Harness;

beforeAll(async () => {
  server = await startModelServer({
    reply(request) {
      const prompt = promptOf(request);
      const { step, text } = telephoneReply(prompt);
      const planned = faults.get(numberIn(prompt)) ?? [];
      const next = planned.findIndex((fault) => fault.step === step);
      return next < 0 ? { text } : (planned.splice(next, 1)[0]?.reply ?? { text });
    },
  });
  const llm = createOpenAiModel({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    timeoutMs: 60_000,
    maxRetryAfterMs: 1500,
    prices: new Map([['priced', { prompt: 1, cachedPrompt: 1, completion: 1 }]]),
  });
  harness = await startHarness(llm, { defaultModel: 'priced' });
});

afterAll(async () => {
  await harness.close();
  await server.close();
});

function numberIn(prompt: string): string {
  return /\(case (\d+)\)/.exec(prompt)?.[1] ?? '';
}

let cases = 0;

/** Asks a question by SuRe during which these replies come first. */
async function askWith(
  step: ScriptedStep,
  replies: ReplySpec[],
  input: Partial<MethodInput<SureOptions>> = {},
) {
  const number = String(++cases);
  faults.set(
    number,
    replies.map((reply) => ({ step, reply })),
  );
  const workflowId = `${harness.id}-${number}`;
  const result = await harness.client.ask(
    'sure',
    { question: `${QUESTION} (case ${number})`, ...input },
    { workflowId },
  );
  const requests = server.requests.filter(({ body }) => numberIn(promptOf(body)) === number);
  const asked = requests.filter(({ body }) => telephoneReply(promptOf(body)).step === step);
  return { workflowId, result, requests, asked };
}

const refusal = (headers: Record<string, string>): ReplySpec => ({
  status: 429,
  headers,
  body: { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } },
});
/** Further off than `maxRetryAfterMs`, which then is the wait. */
const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
const error = (status: number, message: string, code?: string): ReplySpec => ({
  status,
  body: { error: { message, code } },
});

it('asks a step at the flex tier, and gives it the time and the price of that tier', async () => {
  const { workflowId, result, requests } = await askWith('generateCandidates', [], {
    tier: { rankPair: 'flex' },
  });
  const tiers = requests.map(({ body }) => body.service_tier).filter(Boolean);
  expect(tiers).toEqual(['flex', 'flex']);
  expect(result.steps.rankPair?.tiers).toEqual({ unsaid: 2 });
  expect(result.usage.standardUsd).toBe(result.usage.costUsd);
  const { events } = await handleOf(harness.connection, workflowId).fetchHistory();
  const timeouts = (events ?? []).flatMap((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const seconds = Number(scheduled?.startToCloseTimeout?.seconds);
    return scheduled?.activityType?.name === 'rankPair' ? [seconds] : [];
  });
  expect(timeouts).toEqual([930, 930]);
});

describe.concurrent('a provider that recovers', () => {
  it.for<[string, ReplySpec, Partial<MethodInput<SureOptions>>?]>([
    ['429 with retry-after-ms', refusal({ 'retry-after-ms': '20' })],
    ['429 with retry-after in seconds', refusal({ 'retry-after': '1' })],
    ['429 with retry-after as a date', refusal({ 'retry-after': inAnHour })],
    ['429 with x-ratelimit-reset', refusal({ 'x-ratelimit-reset-requests': '40ms' })],
    ['429 with nothing', refusal({})],
    ['500', error(500, 'boom')],
    ['503', error(503, 'overloaded')],
    ['a reset connection', 'reset'],
    ['a cut body', 'cut-body'],
    ['a malformed body', 'malformed'],
    ['no answer in time', 'hang', { limits: { callTimeoutSeconds: 2 } }],
    ['half an answer in time', 'hang-body', { limits: { callTimeoutSeconds: 2 } }],
  ])('answers after %s', async ([, reply, input]) => {
    const { result, requests } = await askWith('generateCandidates', [reply], input);
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      usage: { calls: 7, cachedCalls: 0 },
      flags: [],
    });
    expect(requests).toHaveLength(8);
  });

  it('keeps refusals for rate apart from failures', async () => {
    const wait = refusal({ 'retry-after-ms': '1' });
    const replies = [wait, wait, error(500, 'boom'), wait];
    const { result, asked } = await askWith('generateCandidates', replies, {
      limits: { attempts: 2, refusals: 4 },
    });
    expect(result.answer).toBe('Bell');
    expect(asked).toHaveLength(5);
  });

  it('sends a refused parameter no more', async () => {
    const reply: ReplySpec = {
      status: 400,
      body: {
        error: {
          message: "Unsupported parameter: 'seed' is not supported with this model.",
          code: 'unsupported_parameter',
          param: 'seed',
        },
      },
    };
    const { result, requests } = await askWith('generateCandidates', [reply], {
      models: { default: 'without-seed' },
      limits: { attempts: 1 },
    });
    expect(result.answer).toBe('Bell');
    expect(requests.map(({ body }) => 'seed' in body)).toEqual([true, ...Array(7).fill(false)]);
  });
});

describe.concurrent('a model that spends its tokens thinking', () => {
  const spent = (completion_tokens: number): ReplySpec => ({
    ...{ text: '<think>Bell or Gray? Let me', finishReason: 'length' },
    usage: { prompt_tokens: 20, completion_tokens },
  });
  const limits = ({ asked }: Awaited<ReturnType<typeof askWith>>) =>
    asked.map(({ body }) => body.max_tokens);

  it('is given room by the second asking, and by the first of the next question', async () => {
    const input = { models: { default: 'thinking-1' } };
    const first = await askWith('generateCandidates', [spent(64)], input);
    expect(first.result).toMatchObject({
      ...{ outcome: 'answered', answer: 'Bell', usage: { calls: 8 } },
      flags: [
        { kind: 'reasked', detail: expect.stringMatching(/: spent its 64 tokens thinking$/) },
      ],
    });
    const [small = 0, large] = limits(first).map(Number);
    expect(large).toBe(2 * small + 8192);
    const next = await askWith('generateCandidates', [], input);
    expect(limits(next)).toEqual([small + 8192]);
  });

  it('is told of with what it spent, where no asking came to an answer', async () => {
    const replies = [spent(64), spent(8320), spent(8448)];
    const input = { models: { default: 'thinking-2' } };
    const { result } = await askWith('generateCandidates', replies, input);
    expect(result.outcome).toBe('unreadable');
    const told = result.flags.filter(({ kind }) => kind === 'reasked' || kind === 'fallback');
    const details = told.map(({ kind, detail }) => `${kind}${detail.split(':').at(-1)}`);
    expect(details).toEqual([
      'reasked spent its 64 tokens thinking',
      'reasked spent its 8320 tokens thinking',
      'fallback spent its 8448 tokens thinking',
    ]);
  });
});

describe.concurrent('a provider that does not recover', () => {
  it.for<[string, ReplySpec]>([
    ['QuotaExhausted', error(429, 'You exceeded your current quota', 'insufficient_quota')],
    ['Authentication', error(401, `Incorrect API key provided: ${KEY}.`, 'invalid_api_key')],
    ['Permission', error(403, 'Not for you')],
    ['UnknownModel', error(404, 'The model `priced` does not exist', 'model_not_found')],
    [
      'ContextTooLong',
      error(400, 'maximum context length is 8192 tokens', 'context_length_exceeded'),
    ],
    ['BadRequest', error(400, 'messages: wrong')],
    ['Incompatible', { status: 307, headers: { location: '/elsewhere' } }],
    // Of spaces: its end is behind the bound, wherever that lies.
    ['AnswerTooLong', { status: 200, body: ' '.repeat(2 * ANSWER_BYTES) }],
  ])('fails at once with %s', async ([type, reply]) => {
    const { workflowId, result, asked, requests } = await askWith('generateCandidates', [reply]);
    expect(result).toMatchObject({
      outcome: 'failed',
      answer: null,
      failure: { type, step: 'generateCandidates' },
      usage: { calls: 0 },
    });
    expect(asked).toHaveLength(1);
    expect(requests).toHaveLength(1);
    await expectNoKey(workflowId, result);
  });

  it('fails at once where the endpoint refuses a schema, and says what to set', async () => {
    const message = "'response_format' of type 'json_schema' is not supported with this model";
    const { result, requests } = await askWith('generateCandidates', [error(400, message)], {
      outputs: 'schema',
    });
    expect(result).toMatchObject({
      outcome: 'failed',
      failure: { type: 'SchemaRefused', message: expect.stringContaining('--outputs text') },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.body.response_format).toMatchObject({
      ...{ type: 'json_schema', json_schema: { name: 'generateCandidates', strict: true } },
    });
  });

  it('gives up after limits.attempts, with what was paid for in the result', async () => {
    const boom = error(500, `boom for ${KEY}`);
    const { workflowId, result, asked } = await askWith('validate', Array(9).fill(boom), {
      limits: { attempts: 2, outageSeconds: 0 },
    });
    expect(result).toMatchObject({
      outcome: 'failed',
      chain: null,
      failure: { type: 'Overloaded', step: 'validate' },
    });
    expect(result.failure?.message).toContain('Given up after 2 failed attempts');
    // The other candidate's verdict, if it was asked for by then, had its own two attempts.
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(result.steps.generateCandidates).toMatchObject({ calls: 1 });
    expect(result.usage.calls).toBeGreaterThanOrEqual(2);
    expect(result.usage.costUsd).toBeGreaterThan(0);
    await expectNoKey(workflowId, result);
  });

  it('gives up after limits.refusals', async () => {
    const wait = refusal({ 'retry-after-ms': '1' });
    const { result, asked } = await askWith('generateCandidates', Array(9).fill(wait), {
      limits: { attempts: 1, refusals: 4 },
    });
    expect(result).toMatchObject({ outcome: 'failed', failure: { type: 'RateLimited' } });
    expect(asked).toHaveLength(4);
  });

  it('asks a provider that says nothing at all no more than it may', async () => {
    const { result, asked } = await askWith('generateCandidates', Array(9).fill('hang'), {
      limits: { attempts: 2, callTimeoutSeconds: 1 },
    });
    expect(result).toMatchObject({ outcome: 'failed', failure: { type: 'Timeout' } });
    expect(asked.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe.concurrent('a provider whose counts', () => {
  const counting = (usage: Record<string, unknown>) => {
    const text = '(a) Bell, (b) Gray';
    return askWith('generateCandidates', [{ text, usage }]);
  };

  it.for<Record<string, unknown>>([
    {},
    { input_tokens: 5000 },
    { prompt_tokens: 5000 },
    { prompt_tokens: '5000', completion_tokens: '7' },
    { prompt_tokens: -5000, completion_tokens: 7 },
  ])('are none leaves the cost unknown: %j', async (usage) => {
    const { result } = await counting(usage);
    expect(result).toMatchObject({ outcome: 'answered', usage: { costUsd: null }, flags: [] });
  });

  it('cannot be is believed, and said to be', async () => {
    const { result } = await counting({ prompt_tokens: 1e300, completion_tokens: 7 });
    expect(result).toMatchObject({ outcome: 'answered', usage: { promptTokens: 1e300 } });
    // At a dollar for a million.
    expect(result.usage.costUsd).toBeCloseTo(1e294, -285);
    expect(result.flags).toMatchObject([{ kind: 'impossibleUsage', step: 'generateCandidates' }]);
    expect(result.flags[0]?.detail).toContain('1e+300 tokens read, 7 written');
  });
});

it('sends the key to the provider and writes it nowhere', async () => {
  const { workflowId, result, requests } = await askWith('rankPair', [error(500, `no: ${KEY}`)]);
  expect(result.answer).toBe('Bell');
  for (const { headers } of requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);
  await expectNoKey(workflowId, result);
});

async function expectNoKey(workflowId: string, result: unknown): Promise<void> {
  const history = historyText(await handleOf(harness.connection, workflowId).fetchHistory());
  expect(history.includes(QUESTION)).toBe(true);
  expect(history.includes(KEY)).toBe(false);
  expect(JSON.stringify(result).includes(KEY)).toBe(false);
}
