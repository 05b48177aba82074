import { expect, it } from 'vitest';
import { markedRates } from '../../activities/runtime/rates.js';
import { MemoryStore } from '../../stores/memory-store.js';

/** A server's limits by queue, and how often it was asked. */
function server(limits: Record<string, number | null> = {}) {
  const asked: string[] = [];
  return {
    limits,
    asked,
    rates: {
      async get(queue: string) {
        asked.push(queue);
        return limits[queue] ?? null;
      },
      async set(queue: string, perMinute: number | null) {
        limits[queue] = perMinute;
      },
    },
  };
}

it('is known at once on every worker, when one has set it', async () => {
  const { rates } = server();
  const marks = new MemoryStore();
  const [one, other] = [markedRates(rates, marks), markedRates(rates, marks)];
  expect(await other.isLimited('q')).toBe(false);
  await one.set('q', 60);
  expect(await other.isLimited('q')).toBe(true);
  expect(await other.isLimited('another')).toBe(false);
  await one.set('q', null);
  expect(await one.isLimited('q')).toBe(false);
});

it('is asked of the server now and then, where somebody sets it there', async () => {
  const { rates, limits, asked } = server();
  let now = 0;
  const marked = markedRates(rates, new MemoryStore(), () => now);
  for (let i = 0; i < 10; i++) expect(await marked.isLimited('q')).toBe(false);
  expect(asked).toEqual(['q']);
  limits.q = 60;
  now += 6000;
  expect(await marked.isLimited('q')).toBe(true);
});

it('stays so where the server cannot be told otherwise', async () => {
  const { rates } = server({ q: 60 });
  const marks = new MemoryStore();
  await markedRates(rates, marks).set('q', 60);
  const failing = { ...rates, set: () => Promise.reject(new Error('away')) };
  await expect(markedRates(failing, marks).set('q', null)).rejects.toThrow('away');
  expect(await markedRates(rates, marks).isLimited('q')).toBe(true);
});

it('is taken for granted where neither server nor store can say', async () => {
  const { rates } = server();
  const away = { get: () => Promise.reject(new Error('away')), set: async () => {} };
  expect(await markedRates(rates, away).isLimited('q')).toBe(true);
  expect(await markedRates({ ...rates, ...away }, new MemoryStore()).isLimited('q')).toBe(true);
});
