/** What prompts share, and what a batch gives up by it. */
import { expect, it } from 'vitest';
import {
  type AskedCall,
  EVERY_TOKEN,
  evenShare,
  OPENAI_CACHE,
  prefixCosts,
  sharedTokens,
} from '../../bench/prefix/shared-tokens.js';

const call = (wave: number, prompt: string): AskedCall => ({ wave, prompt, completionTokens: 10 });

it('counts beginnings of earlier waves apart from those beside', () => {
  const passages = 'p'.repeat(8000);
  const calls = [
    call(1, `${passages}first`),
    call(2, `${passages}second, one`),
    call(2, `${passages}second, two`),
    call(3, 'no passages'),
  ];
  const every = sharedTokens(calls, EVERY_TOKEN);
  expect(every).toMatchObject({ calls: 4, waves: 3, earlier: 4000, beside: 2000 + 2002 });
  expect(every.prompt).toBe(2002 + 2003 + 2003 + 3);
  // 1,024 and then whole steps of 128: 1,920 of 2,000.
  expect(sharedTokens(calls, OPENAI_CACHE).earlier).toBe(2 * 1920);
});

it('keeps nothing of a beginning that a cache does not take', () => {
  const calls = [call(1, 'p'.repeat(4000)), call(2, 'p'.repeat(4000))];
  expect(sharedTokens(calls, OPENAI_CACHE).earlier).toBe(0);
  expect(sharedTokens(calls, EVERY_TOKEN).earlier).toBe(1000);
});

it('prices a batch without the discount, and says when calls one by one cost no more', () => {
  const half = { prompt: 1, cachedPrompt: 1, completion: 4 };
  const price = { prompt: 2, cachedPrompt: 0.2, completion: 8, batch: half };
  const shared = { calls: 1, waves: 1, prompt: 1000, completion: 100, earlier: 500, beside: 0 };
  const costs = prefixCosts(shared, price, 1000);
  expect(costs).toEqual({
    standard: 2.8,
    cached: 1.9,
    flex: null,
    batch: 1.4,
    batchIfCached: 0.95,
  });
  const even = evenShare(shared, price);
  const cached = prefixCosts({ ...shared, earlier: even * 1000 }, price, 1000)?.cached;
  expect(cached).toBeCloseTo(1.4, 9);
  expect(prefixCosts(shared, { prompt: 2, cachedPrompt: 2, completion: 8 }, 1)).toBeNull();
});
