/** What calls cost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { costOf, costOfCall, loadPrices, priceAt, priceOf } from '../../llm/prices.js';
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

test('flex keeps the discount on cached prompts, a batch does not', async () => {
  const known = priceOf('gpt-5-mini', await loadPrices());
  const half = { prompt: 0.125, completion: 1 };
  expect(known && priceAt(known, 'flex')).toEqual({ ...half, cachedPrompt: 0.0125 });
  expect(known && priceAt(known, 'batch')).toEqual({ ...half, cachedPrompt: 0.125 });
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

test.each([
  ['not JSON', '{', /prices.json is not JSON/],
  ['a missing price', '{"mine":{"prompt":1}}', /prices.json has wrong fields: mine.completion/],
  [
    'a misspelt field',
    '{"mine":{"prompt":1,"completion":1,"cached":1}}',
    /mine\.cached: there is no such field; did you mean cachedPrompt\?/,
  ],
  ['a list', '[]', /wrong fields: input: must be an object of names and values, not an empty list/],
])('%s is told with file and field', async (_, content, message) => {
  await expect(loadPrices(file(content))).rejects.toThrow(message);
});

test('prices of a program are held to the same', async () => {
  const own = { mine: { promt: 1, completion: 1 } } as never;
  await expect(loadPrices(undefined, own)).rejects.toThrow(
    /^The option prices has wrong fields: .*prices\.mine\.promt: there is no such field; did you mean prompt\?/,
  );
  const tiered = { mine: { prompt: 1, cachedPrompt: 1, completion: -1 } };
  await expect(loadPrices(undefined, tiered)).rejects.toThrow(
    'prices.mine.completion: must be a number, at least 0, not -1',
  );
});

test('a file that is not there is told', async () => {
  await expect(loadPrices(join(folder, 'none.json'))).rejects.toThrow(
    /DURABLE_RAG_PRICES.*none.json cannot be read \(ENOENT\)/,
  );
});

test('a price that names none for cached prompts has the usual one, wherever it comes from', async () => {
  const own = { mine: { prompt: 1, completion: 2, batch: { prompt: 0.5, completion: 1 } } };
  const prices = await loadPrices(undefined, own as never);
  const usage = { promptTokens: 1_000_000, cachedPromptTokens: 500_000, completionTokens: 0 };
  expect(costOfCall(usage, ['mine'], { prices, isLocal: false })).toBe(1);
  expect(costOfCall(usage, ['mine'], { prices, isLocal: false }, 'batch')).toBe(0.5);
});
