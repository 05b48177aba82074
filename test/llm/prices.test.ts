/** What calls cost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownPrices } from '../../llm/known-prices.js';
import { billOf, costOf, costOfCall, loadPrices, priceAt, priceOf } from '../../llm/prices.js';
import { blocksOf } from '../docs/pages.js';
import { temporaryFolder } from '../support/folder.js';

const folder = await temporaryFolder();

function file(content: string): string {
  const path = join(folder, 'prices.json');
  writeFileSync(path, content);
  return path;
}

test.each([
  ['gpt-4o-mini-2024-07-18', 0.15],
  ['gpt-4o-2024-05-13', 5],
  ['gpt-4o-2024-08-06', 2.5],
  ['gpt-4o-audio-preview', undefined],
  ['gpt-4-1106-preview', 10],
  ['', undefined],
])('%s costs %s a million prompt tokens', async (model, price) => {
  expect(priceOf(model, await loadPrices())?.prompt).toBe(price);
});

test('cached tokens are not paid twice', () => {
  const usage = { promptTokens: 1000, cachedPromptTokens: 400, completionTokens: 100 };
  const cost = costOf(usage, { prompt: 10, cachedPrompt: 1, completion: 50 });
  expect(cost).toBeCloseTo((600 * 10 + 400 * 1 + 100 * 50) / 1e6, 12);
});

test('a call costs what its tier costs, and the usual price where the model has no other', async () => {
  const own = { mine: { prompt: 4, completion: 8, flex: { prompt: 3, completion: 5 } } };
  // As some editors save it.
  const prices = await loadPrices(file(`\uFEFF${JSON.stringify(own)}`));
  const usage = { promptTokens: 1e6, cachedPromptTokens: 0, completionTokens: 1e6 };
  const cost = (tier?: 'flex' | 'batch') =>
    costOfCall(usage, ['mine'], { prices, isLocal: false }, tier);
  expect([cost(), cost('flex'), cost('batch')]).toEqual([12, 8, 12]);
  expect(priceOf('mine', prices)?.flex).toEqual({ prompt: 3, cachedPrompt: 3, completion: 5 });
});

test('flex keeps the discount on cached prompts, a batch only where it is listed', async () => {
  const prices = await loadPrices();
  const at = (model: string, tier: 'batch' | 'flex') => {
    const known = priceOf(model, prices);
    return known && priceAt(known, tier);
  };
  const half = { prompt: 0.125, cachedPrompt: 0.0125, completion: 1 };
  expect([at('gpt-5-mini', 'flex'), at('gpt-5-mini', 'batch')]).toEqual([half, half]);
  expect(at('o3', 'flex')?.cachedPrompt).toBe(0.25);
  expect(at('o3', 'batch')?.cachedPrompt).toBe(1);
});

test('what is written into the cache costs as its price says, or as the prompt', () => {
  const usage = { promptTokens: 100, cachedPromptTokens: 20, completionTokens: 10 };
  const price = { prompt: 4, cachedPrompt: 1, completion: 20 };
  const written = { ...usage, writtenPromptTokens: 70 };
  expect(costOf(usage, { ...price, writtenPrompt: 5 })).toBeCloseTo((80 * 4 + 20 + 200) / 1e6, 12);
  expect(costOf(written, price)).toBeCloseTo((80 * 4 + 20 + 200) / 1e6, 12);
  expect(costOf(written, { ...price, writtenPrompt: 5 })).toBeCloseTo(
    (10 * 4 + 20 + 70 * 5 + 200) / 1e6,
    12,
  );
});

test.each([
  [272_000, undefined, 272_000 * 4 + 1000 * 20],
  [272_001, undefined, 272_001 * 8 + 1000 * 30],
  [272_000, 'flex', 272_000 * 2 + 1000 * 10],
  [900_000, 'flex', 900_000 * 4 + 1000 * 15],
  [272_001, 'batch', 272_001 * 4 + 1000 * 15],
  [300_000, 'priority', 300_000 * 16 + 1000 * 60],
] as const)(
  'a request of %s tokens by %s has one price',
  async (promptTokens, tier, millionths) => {
    const usage = { promptTokens, cachedPromptTokens: 0, completionTokens: 1000 };
    const pricing = { prices: await loadPrices(), isLocal: false };
    const cost = costOfCall(usage, ['gpt-5.6-2026-07-09'], pricing, tier);
    expect(cost).toBeCloseTo(millionths / 1e6, 9);
  },
);

test('the longest length that fits has the price, in whatever order they stand', async () => {
  const at = (above: number, prompt: number) => ({ above, prompt, completion: 0 });
  const longer = [at(100, 2), at(1000, 8), at(500, 4)];
  const prices = await loadPrices(
    file(JSON.stringify({ mine: { prompt: 1, completion: 0, longer } })),
  );
  const cost = (promptTokens: number) => {
    const usage = { promptTokens, cachedPromptTokens: 0, completionTokens: 0 };
    return Math.round(Number(costOfCall(usage, ['mine'], { prices, isLocal: false })) * 1e6);
  };
  expect([100, 101, 501, 2000].map(cost)).toEqual([100, 202, 2004, 16_000]);
});

test('a tier that costs more and has no price is unknown, also if nobody asked for it', async () => {
  const pricing = { prices: await loadPrices(), isLocal: false };
  const usage = { promptTokens: 1000, cachedPromptTokens: 0, completionTokens: 100 };
  const bill = (model: string, served: string) =>
    billOf({ usage }, [model], pricing, { served, asked: undefined });
  expect(bill('gpt-5-nano', 'priority')).toMatchObject({
    costUsd: null,
    tier: { served: 'priority' },
  });
  expect(bill('gpt-4o', 'priority').costUsd).toBeCloseTo((1000 * 4.25 + 100 * 17) / 1e6, 12);
  expect(bill('gpt-4o', 'default')).not.toHaveProperty('tier');
});

test('each known price has a day, and no tier is dearer where it is to be cheaper', () => {
  for (const [model, price] of Object.entries(knownPrices)) {
    expect(price.asOf, model).toMatch(/^2026-\d\d-\d\d$/);
    for (const tier of [price.flex, price.batch]) {
      expect(tier?.prompt ?? 0, model).toBeLessThanOrEqual(price.prompt);
      expect(tier?.completion ?? 0, model).toBeLessThanOrEqual(price.completion);
    }
    expect(price.cachedPrompt, model).toBeLessThanOrEqual(price.prompt);
    expect(price.priority?.prompt ?? price.prompt, model).toBeGreaterThanOrEqual(price.prompt);
  }
});

test("a user's file adds and overrides", async () => {
  const own = {
    mine: { prompt: 1, completion: 2 },
    'gpt-4o': { prompt: 9, cachedPrompt: 8, completion: 7 },
  };
  const prices = await loadPrices(file(JSON.stringify(own)));
  expect(priceOf('mine', prices)).toEqual({ prompt: 1, cachedPrompt: 1, completion: 2 });
  expect(priceOf('gpt-4o', prices)).toEqual({ prompt: 9, cachedPrompt: 8, completion: 7 });
  expect(priceOf('gpt-4o-mini', prices)?.prompt).toBe(0.15);
});

test('a price that names none for cached prompts has the usual one, wherever it comes from', async () => {
  const own = { mine: { prompt: 1, completion: 2, batch: { prompt: 0.5, completion: 1 } } };
  const prices = await loadPrices(undefined, own as never);
  const usage = { promptTokens: 1_000_000, cachedPromptTokens: 500_000, completionTokens: 0 };
  expect(costOfCall(usage, ['mine'], { prices, isLocal: false })).toBe(1);
  expect(costOfCall(usage, ['mine'], { prices, isLocal: false }, 'batch')).toBe(0.5);
});

test('the prices of the docs are taken as they stand', async () => {
  const block = blocksOf('json').find(({ text }) => text.includes('writtenPrompt'));
  const prices = await loadPrices(file(String(block?.text)));
  const usage = { promptTokens: 300_000, cachedPromptTokens: 0, completionTokens: 0 };
  const cost = costOfCall(usage, ['my-model'], { prices, isLocal: false });
  expect(cost).toBeCloseTo(1.2, 9);
});
