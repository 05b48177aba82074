/** What a collector of batches learns from each, and how patiently it looks. */
import { expect, it } from 'vitest';
import { batchConcurrency, pooledHeartbeatSeconds } from '../../../core/provider-batches.js';
import {
  afterBatch,
  expectedEnd,
  freeTokens,
  newCollector,
  type OpenBatch,
  pauseAfter,
} from '../../../workflows/provider-batches/collector.js';

const batch = (change: Partial<OpenBatch> = {}): OpenBatch => ({
  number: 0,
  requests: 10,
  bytes: 8000,
  waitSeconds: 60,
  since: 0,
  madeAt: 0,
  ...change,
});
const result = { answered: 10, failed: 0, again: 0, refused: [], tooMuch: false };

it('takes less after too much was under way, later, and then a little more each time', () => {
  const open = { ...newCollector(), next: 1, open: [batch()] };
  const refused = afterBatch(open, batch(), { ...result, tooMuch: true }, 5000);
  // Half of the 2,000 tokens that 8,000 bytes are.
  expect(refused).toMatchObject({ mostTokens: 1000, notBefore: 65_000, open: [], ended: 1 });
  expect(refused.tookSeconds).toEqual([]);
  const better = afterBatch(refused, batch({ number: 1 }), result, 9000);
  expect(better).toMatchObject({ mostTokens: 1250, notBefore: 65_000, tookSeconds: [9] });
});

it('counts what is under way when too much was, and leaves the next batch what is left', () => {
  const other = batch({ number: 1, bytes: 20_000 });
  const open = { ...newCollector(), next: 2, open: [other, batch()] };
  expect(freeTokens(open)).toBeNull();
  const refused = afterBatch(open, batch(), { ...result, tooMuch: true }, 5000);
  // 5,000 tokens go on, and half of the 2,000 that were refused may come beside them.
  expect(refused.mostTokens).toBe(6000);
  expect(freeTokens(refused)).toBe(1000);
  const again = batch({ number: 2, bytes: 4000 });
  const both = { ...refused, open: [...refused.open, again] };
  expect(freeTokens(both)).toBe(0);
  expect(freeTokens(afterBatch(both, other, result, 9000))).toBe(7500 - 1000);
});

it('remembers what the model refuses', () => {
  const once = afterBatch(newCollector(), batch(), { ...result, refused: ['seed'] }, 1);
  const twice = afterBatch(once, batch(), { ...result, refused: ['top_p', 'seed'] }, 2);
  expect(twice.without).toEqual(['seed', 'top_p']);
});

it('looks less often the longer a batch takes: some dozens of times in a day', () => {
  let now = 0;
  let looks = 0;
  for (; now < 24 * 3_600_000; looks++) now += pauseAfter(batch(), now);
  expect(looks).toBeLessThan(130);
  expect(pauseAfter(batch(), 0)).toBe(15_000);
  expect(pauseAfter(batch({ waitSeconds: 1 }), 0)).toBe(500);
  expect(pauseAfter(batch(), 24 * 3_600_000)).toBe(15 * 60_000);
});

it('expects a batch to take as long as those before it', () => {
  expect(expectedEnd(batch({ madeAt: 1000 }), [30, 10, 20])).toBe(21_000);
  expect(expectedEnd(batch({ madeAt: 1000 }), [])).toBeNull();
});

it('beats for what is pooled within what a server bears', () => {
  const seconds = (size: number) =>
    pooledHeartbeatSeconds({ waitSeconds: 60, size, patienceSeconds: 1 });
  expect([seconds(1), seconds(1000), seconds(5000), seconds(50_000)]).toEqual([30, 60, 300, 300]);
  expect([batchConcurrency({ size: 100 }), batchConcurrency({ size: 5000 })]).toEqual([100, 5000]);
});
