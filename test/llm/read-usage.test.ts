/** What answers say that they used and cost, in the words of all providers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelPrice } from '../../core/model-price.js';
import { readResult } from '../../llm/ai-sdk/read-result.js';
import type { TokenUsage } from '../../llm/language-model.js';
import { readLine } from '../../llm/openai/batch-lines.js';
import { readCompletion } from '../../llm/openai/chat-completion.js';
import { readUsage, statedCost } from '../../llm/read-usage.js';

const context = {
  model: 'some',
  provider: 'far',
  maxRetryAfterMs: 1,
  secrets: [],
  now: 0,
  timeoutMs: 1,
};
const price: ModelPrice = {
  prompt: 4,
  cachedPrompt: 1,
  writtenPrompt: 5,
  completion: 10,
  batch: { prompt: 2, cachedPrompt: 2, completion: 5 },
};
const priced = { prices: new Map([['some', price]]), isLocal: false };
const unpriced = { prices: new Map(), isLocal: false };
const local = { prices: new Map(), isLocal: true };

const bodyWith = (usage: unknown, more: object = {}) => ({
  choices: [{ message: { content: 'Oslo' }, finish_reason: 'stop' }],
  ...more,
  ...(usage !== undefined && { usage }),
});
const read = (usage: unknown, pricing = priced) =>
  readCompletion(bodyWith(usage), context, pricing);

/** Prompt, cached, written and completion tokens. */
type Told = [prompt: number, cached: number, written: number, completion: number];

function told(usage: TokenUsage | null): Told | null {
  if (!usage) return null;
  const { promptTokens, cachedPromptTokens, writtenPromptTokens = 0, completionTokens } = usage;
  return [promptTokens, cachedPromptTokens, writtenPromptTokens, completionTokens];
}

const usd = ([prompt, cached, written, completion]: Told) =>
  ((prompt - cached - written) * 4 + cached + written * 5 + completion * 10) / 1e6;

const counts = { prompt_tokens: 40, completion_tokens: 6 };
const details = (prompt: object) => ({ ...counts, prompt_tokens_details: prompt });

describe('usage', () => {
  it.each<[string, unknown, Told, boolean]>([
    ['no more than both counts', counts, [40, 0, 0, 6], false],
    ['the names of the newer API', { input_tokens: 40, output_tokens: 6 }, [40, 0, 0, 6], false],
    ['a total that fits', { ...counts, total_tokens: 46 }, [40, 0, 0, 6], false],

    ['thinking in the total, told', thinking(7, 310, 327), [10, 0, 0, 317], true],
    ['thinking in the total alone', { ...counts, total_tokens: 100 }, [40, 0, 0, 60], true],
    ['thinking in the total, by the newer names', newer(3, 900), [50, 0, 0, 850], true],
    ['nothing written but thinking', thinking(0, 64, 74), [10, 0, 0, 64], true],
    ['thinking within the completion', thinking(90, 80, 100), [10, 0, 0, 90], true],
    ['thinking without a total', thinking(5, 70), [10, 0, 0, 75], true],
    ['a total that is less', { ...counts, total_tokens: 12 }, [40, 0, 0, 6], false],
    [
      'a total in place of the completion',
      { prompt_tokens: 9, total_tokens: 12 },
      [9, 0, 0, 3],
      false,
    ],

    ['sound beside the prompt', sound(40, { audio_tokens: 120 }, 166), [40, 0, 0, 6], false],
    [
      'sound of so many seconds',
      { ...sound(40, {}, 900), prompt_audio_seconds: 12 },
      [40, 0, 0, 6],
      false,
    ],
    [
      'sound within the prompt, and thinking',
      sound(40, { audio_tokens: 20 }, 246),
      [40, 0, 0, 206],
      true,
    ],

    ['cached, in the details', details({ cached_tokens: 32 }), [40, 32, 0, 6], false],
    ['cached, at the top', { ...counts, cached_tokens: 24 }, [40, 24, 0, 6], false],
    [
      'cached, at the top beside a default',
      { ...details({ cached_tokens: 0 }), cached_tokens: 8 },
      [40, 8, 0, 6],
      false,
    ],
    [
      'cached, as hits',
      { ...counts, prompt_cache_hit_tokens: 16, prompt_cache_miss_tokens: 24 },
      [40, 16, 0, 6],
      false,
    ],
    ['cached, without details', { ...counts, prompt_tokens_details: null }, [40, 0, 0, 6], false],
    ['more cached than read', { ...counts, cached_tokens: 400 }, [40, 40, 0, 6], false],

    ['written into the cache', details({ cache_write_tokens: 38 }), [40, 0, 38, 6], false],
    [
      'written and cached',
      details({ cached_tokens: 10, cache_write_tokens: 25 }),
      [40, 10, 25, 6],
      false,
    ],
    [
      'written, as a gateway says it',
      { ...counts, cache_creation_input_tokens: 7, cache_read_input_tokens: 9 },
      [40, 9, 7, 6],
      false,
    ],
    [
      'more written than read',
      details({ cached_tokens: 30, cache_write_tokens: 30 }),
      [40, 30, 10, 6],
      false,
    ],
  ])('%s', (_, usage, expected, thinks) => {
    const answer = read(usage);
    expect(told(answer.usage)).toEqual(expected);
    expect(answer.costUsd).toBeCloseTo(usd(expected), 12);
    expect(answer.thinking).toBe(thinks ? 'some' : undefined);
  });

  it.each([
    ['none', undefined],
    ['null', null],
    ['an empty object', {}],
    ['half of it', { prompt_tokens: 5 }],
    ['the other half', { completion_tokens: 5, total_tokens: 9 }],
    ['counts below 0', { prompt_tokens: 5, completion_tokens: -1, total_tokens: 9 }],
    ['words', { prompt_tokens: 'many', completion_tokens: 'few' }],
    ['a list', [40, 6]],
    ['no number', { prompt_tokens: Number.NaN, completion_tokens: 3 }],
  ])('of %s is unknown, and not 0', (_, usage) => {
    expect(read(usage)).toMatchObject({ usage: null, costUsd: null });
    expect(read(usage, local)).toMatchObject({ usage: null, costUsd: 0 });
  });
});

describe('a stated cost', () => {
  it.each<[string, object, number]>([
    ['in credits', { cost: 0.0042 }, 0.0042],
    ['in credits, of nothing', { cost: 0, is_byok: false }, 0],
    [
      "in credits, with a key of one's own",
      { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      0.021,
    ],
    [
      'in credits, with the cost behind it',
      { cost: 0.02, is_byok: false, cost_details: { upstream_inference_cost: 0.02 } },
      0.02,
    ],
    ['as a text', { cost: '0.0031' }, 0.0031],
    ['as a sum with its parts', { cost: { input_tokens_cost: 0.001, total_cost: 0.006 } }, 0.006],
    ['in ticks', { cost_in_usd_ticks: 158_500 }, 0.00001585],
    ['in many ticks', { cost_in_usd_ticks: 400_000_000 }, 0.04],
    ['in no ticks', { cost_in_usd_ticks: 0 }, 0],
    ['as an estimate', { estimated_cost: 0.0000268 }, 0.0000268],
    ['as an estimate of nothing', { estimated_cost: 0 }, 0],
    ['as an estimate beside null', { cost: null, estimated_cost: 1.5 }, 1.5],
  ])('%s goes before the table', (_, cost, expected) => {
    for (const pricing of [priced, unpriced, local]) {
      const answer = read({ ...counts, ...cost }, pricing);
      expect(answer.costUsd).toBeCloseTo(expected, 14);
      expect(answer.isStated).toBe(true);
    }
    expect(read(cost, priced)).toMatchObject({ usage: null, isStated: true });
  });

  it.each([
    ['below 0', { cost: -1 }],
    ['no amount', { cost: 'free' }],
    ['empty', { cost: '' }],
    ['not finite', { cost_in_usd_ticks: Number.POSITIVE_INFINITY }],
    ['in another currency', { cost: 0.3, currency: 'CNY' }],
    ['in another currency, within', { cost: { total_cost: 0.3, currency: 'EUR' } }],
    ['of another kind', { estimated_cost: [0.1] }],
  ])('%s is none', (_, cost) => {
    expect(read({ ...counts, ...cost })).not.toHaveProperty('isStated');
    expect(read({ ...counts, ...cost }).costUsd).toBeCloseTo(usd([40, 0, 0, 6]), 12);
  });
});

it('is held to by lines of batches, at their price', () => {
  const line = (usage: unknown) =>
    readLine(
      JSON.stringify({ custom_id: 'a', response: { status_code: 200, body: bodyWith(usage) } }),
      context,
      priced,
    );
  const completionOf = (usage: unknown) => Object(line(usage)).completion;
  const more = completionOf({ ...counts, total_tokens: 140, cached_tokens: 10 });
  expect(told(more.usage)).toEqual([40, 10, 0, 100]);
  expect(more.costUsd).toBeCloseTo((40 * 2 + 100 * 5) / 1e6, 12);
  expect(completionOf(undefined)).toMatchObject({ usage: null, costUsd: null });
  expect(completionOf({ ...counts, cost_in_usd_ticks: 1e8 })).toMatchObject({
    costUsd: 0.01,
    isStated: true,
    tier: { served: 'batch' },
  });
});

describe('a result of the AI SDK', () => {
  const result = (usage: object, more: object = {}) => ({
    content: [{ type: 'text', text: 'Oslo' }],
    finishReason: 'stop',
    usage,
    ...more,
  });
  const readSdk = (value: unknown) => readResult(value, context, priced);
  const input = { total: 40, noCache: 40, cacheRead: 0, cacheWrite: 0 };
  const output = { total: 6, text: 6, reasoning: undefined };

  it.each<[string, object, Told, boolean]>([
    ['version 3', { inputTokens: input, outputTokens: output }, [40, 0, 0, 6], false],
    [
      'version 2',
      { inputTokens: 40, outputTokens: 6, totalTokens: 46, cachedInputTokens: 5 },
      [40, 5, 0, 6],
      false,
    ],
    [
      'version 2, thinking in the total',
      { inputTokens: 40, outputTokens: 6, totalTokens: 99 },
      [40, 0, 0, 59],
      true,
    ],
    [
      'version 3, written',
      { inputTokens: { ...input, cacheRead: 8, cacheWrite: 30 }, outputTokens: output },
      [40, 8, 30, 6],
      false,
    ],
    [
      'version 3, thinking in its own total',
      { inputTokens: input, outputTokens: output, raw: { total_tokens: 90 } },
      [40, 0, 0, 50],
      true,
    ],
    [
      'version 3, thinking in the total of Gemini',
      { inputTokens: input, outputTokens: output, raw: { totalTokenCount: 66 } },
      [40, 0, 0, 26],
      true,
    ],
    [
      'version 3, told thinking',
      { inputTokens: input, outputTokens: { total: 30, reasoning: 24 } },
      [40, 0, 0, 30],
      true,
    ],
  ])('of %s', (_, usage, expected, thinks) => {
    const answer = readSdk(result(usage));
    expect(told(answer.usage)).toEqual(expected);
    expect(answer.costUsd).toBeCloseTo(usd(expected), 12);
    expect(answer.thinking).toBe(thinks ? 'some' : undefined);
  });

  it('tells what its provider wrote into the cache, where only its metadata has it', () => {
    const metadata = { providerMetadata: { anthropic: { cacheCreationInputTokens: 12 } } };
    const answer = readSdk(result({ inputTokens: 40, outputTokens: 6 }, metadata));
    expect(told(answer.usage)).toEqual([40, 0, 12, 6]);
  });

  const both = { inputTokens: input, outputTokens: output };
  it.each<[string, object, object]>([
    ['its usage', { ...both, raw: { cost: 0.25 } }, {}],
    [
      'the body of the answer',
      both,
      { response: { body: { usage: { cost_in_usd_ticks: 2.5e9 } } } },
    ],
    ['metadata', both, { providerMetadata: { router: { usage: { cost: 0.25 } } } }],
    ['metadata of a gateway', both, { providerMetadata: { gateway: { cost: '0.25' } } }],
    ['metadata in ticks', both, { providerMetadata: { xai: { costInUsdTicks: 2.5e9 } } }],
  ])('has the cost that %s states', (_, usage, more) => {
    expect(readSdk(result(usage, more))).toMatchObject({ costUsd: 0.25, isStated: true });
  });
});

describe('whatever is told', () => {
  const count = fc.nat({ max: 1_000_000 });
  const any = fc.oneof(count, fc.double(), fc.string(), fc.constant(null), fc.constant(undefined));
  const detail = fc.dictionary(
    fc.constantFrom('cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'audio_tokens'),
    any,
  );
  const names = [
    'prompt_tokens',
    'completion_tokens',
    'total_tokens',
    'cached_tokens',
    'reasoning_tokens',
    'cost',
    'estimated_cost',
    'cost_in_usd_ticks',
    'prompt_cache_hit_tokens',
  ] as const;
  const wild = fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names), fc.oneof(any, fc.anything())),
      fc.option(detail),
      fc.option(detail),
    )
    .map(([top, prompt, completion]) => ({
      ...top,
      prompt_tokens_details: prompt,
      completion_tokens_details: completion,
    }));

  it('is a usage whose parts fit, or none', () => {
    fc.assert(
      fc.property(fc.oneof(wild, fc.anything()), (usage) => {
        const { usage: read, statedUsd = 0 } = readUsage(usage);
        expect(statedUsd).toBeGreaterThanOrEqual(0);
        if (!read) return;
        const {
          promptTokens,
          cachedPromptTokens,
          writtenPromptTokens = 0,
          completionTokens,
        } = read;
        expect(cachedPromptTokens + writtenPromptTokens).toBeLessThanOrEqual(promptTokens);
        for (const tokens of [
          promptTokens,
          cachedPromptTokens,
          writtenPromptTokens,
          completionTokens,
        ]) {
          expect(tokens).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('counts at least what is told, and at least the total', () => {
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        (prompt_tokens, completion_tokens, total_tokens, reasoning_tokens) => {
          const usage = {
            prompt_tokens,
            completion_tokens,
            total_tokens,
            completion_tokens_details: { reasoning_tokens },
          };
          const { usage: read, thinks } = readUsage(usage);
          const tokens = read?.completionTokens ?? -1;
          expect(tokens).toBe(Math.max(completion_tokens, total_tokens - prompt_tokens));
          expect(thinks).toBe(reasoning_tokens > 0 || tokens > completion_tokens);
        },
      ),
    );
  });

  it('is said to be stated only if an amount is', () => {
    fc.assert(
      fc.property(fc.anything(), (cost) => {
        const { statedUsd } = statedCost({ cost });
        if (typeof cost === 'number' && cost >= 0 && Number.isFinite(cost)) {
          expect(statedUsd).toBe(cost);
        } else if (statedUsd !== undefined) {
          expect(Number.isFinite(statedUsd)).toBe(true);
        }
      }),
    );
  });
});

function thinking(completion_tokens: number, reasoning_tokens: number, total_tokens?: number) {
  return {
    prompt_tokens: 10,
    completion_tokens,
    total_tokens,
    completion_tokens_details: { reasoning_tokens },
  };
}

function newer(output_tokens: number, total_tokens: number) {
  return { input_tokens: 50, output_tokens, total_tokens, output_tokens_details: {} };
}

function sound(prompt_tokens: number, prompt_tokens_details: object, total_tokens: number) {
  return { prompt_tokens, completion_tokens: 6, total_tokens, prompt_tokens_details };
}
