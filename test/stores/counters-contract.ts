/** What counts must do, wherever they are kept. */
import { expect, test } from 'vitest';
import { type Counters, storeCounters } from '../../stores/counters.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';

/** Registers the tests; `open` opens the same store again. */
export function countersContract(open: () => Promise<KeyValueStore>): void {
  test('counts give the total after each addition, apart by key', async () => {
    const store = await open();
    const counters = storeCounters(store);
    expect(await counters.add('a', 5, 60)).toBe(5);
    expect(await counters.add('a', 7, 60)).toBe(12);
    expect(await counters.add('b', 1, 60)).toBe(1);
    expect(await counters.add('a', -20, 60)).toBe(-8);
    expect(await counters.add('fresh', -3, 60)).toBe(-3);
    await store.close();
  });

  test('every addition made at the same time has a total of its own', async () => {
    // Those of one worker are written together: two workers are in each other's way.
    const stores = await Promise.all([open(), open()]);
    const [one, other] = stores.map(storeCounters) as [Counters, Counters];
    await one.add('begun', 0, 60);
    for (const key of ['begun', 'new']) {
      const adding = Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).add(key, 2, 60));
      const totals = (await Promise.all(adding)).sort((a, b) => a - b);
      expect(totals).toEqual(Array.from({ length: 50 }, (_, i) => 2 * (i + 1)));
    }
    await Promise.all(stores.map((store) => store.close()));
  });

  test('counts are forgotten after their time', async () => {
    const store = await open();
    const counters = storeCounters(store);
    await counters.add('brief', 5, 1);
    await expect.poll(() => counters.add('brief', 0, 1), { interval: 300 }).toBe(0);
    await store.close();
  });
}
