/** The token limit, in simulated time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../stores/memory-store.js';
import { mostInAMinute, simulation } from './simulate.js';

const many = (count: number, tokens: number, more = {}) =>
  Array.from({ length: count }, (_, i) => ({ name: `call ${i}`, tokens, ...more }));

const LIMIT = 60_000;
/** What one second's slot holds. */
const SLOT = LIMIT / 60;

describe('a limit', () => {
  it('makes each call come back once, at a time of its own, in the order of asking', async () => {
    const { simulate } = simulation(LIMIT);
    const starts = await simulate(many(80, 700));
    expect(starts.map(({ name }) => name)).toEqual(many(80, 0).map(({ name }) => name));
    expect(Math.max(...starts.map(({ returns }) => returns))).toBe(1);
    expect(new Set(starts.map(({ at }) => at).filter((at) => at > 1000)).size).toBeGreaterThan(75);
  });

  it('is held by calls of any size that come at any time, and none is left', async () => {
    const call = fc.record({
      name: fc.constant('call'),
      tokens: fc.integer({ min: 1, max: 5000 }),
      at: fc.integer({ min: 0, max: 120_000 }),
      horizonMs: fc.constantFrom(10_000, 60_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 60 }), async (calls) => {
        const starts = await simulation(LIMIT).simulate(calls);
        expect(starts).toHaveLength(calls.length);
        const largest = Math.max(...calls.map(({ tokens }) => tokens));
        expect(mostInAMinute(starts)).toBeLessThanOrEqual(LIMIT + SLOT + largest);
      }),
      { numRuns: 30 },
    );
  });

  it('lets nobody use what nobody used before', async () => {
    const { simulate, clock } = simulation(LIMIT);
    await simulate(many(1, 10));
    clock.now += 10 * 60_000;
    const starts = await simulate(many(200, 600));
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(LIMIT + SLOT);
  });

  it('lets a call through that is larger than a minute, and the next one wait for it', async () => {
    const { simulate } = simulation(LIMIT);
    const starts = await simulate([
      { name: 'huge', tokens: 2.5 * LIMIT },
      { name: 'next', tokens: 10, horizonMs: 600_000 },
    ]);
    expect(starts).toMatchObject([{ name: 'huge', at: 0 }, { name: 'next' }]);
    expect(starts[1]?.at).toBeGreaterThan(149_000);
    expect(starts[1]?.at).toBeLessThan(151_000);
  });

  it('is one for all workers that share the counts', async () => {
    const { simulate, another } = simulation(LIMIT);
    const [a, b] = [another(), another()];
    const alternating = {
      ...a,
      reserve: (request: Parameters<typeof a.reserve>[0]) => {
        const one = Math.random() < 0.5 ? a : b;
        return one.reserve(request);
      },
    };
    const starts = await simulate(many(300, 500), alternating);
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(LIMIT + SLOT);
    expect(starts.at(-1)?.at).toBeLessThan(151_000);
  });
});

describe('what a call really used', () => {
  it('is what counts where estimates are too high', async () => {
    const { simulate } = simulation(LIMIT);
    const calls = many(600, 1000, { used: 250, horizonMs: 5000 });
    const starts = await simulate(calls.map((call, i) => ({ ...call, at: i * 200 })));
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(LIMIT + SLOT);
    // 150,000 tokens take 150 s; by the estimates it would be 600 s.
    expect(starts.at(-1)?.at).toBeLessThan(170_000);
  });

  it('is what counts where estimates are too low', async () => {
    const { simulate } = simulation(LIMIT);
    const calls = many(300, 250, { used: 1000, horizonMs: 5000 });
    const starts = await simulate(calls.map((call, i) => ({ ...call, at: i * 500 })));
    // What has a place already when it shows may start.
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(LIMIT * 1.25);
    expect(starts.at(-1)?.at).toBeGreaterThan(285_000);
  });
});

describe('places', () => {
  it('beyond the horizon are refused, but the limit stays in use and all get through', async () => {
    const { simulate } = simulation(LIMIT);
    const starts = await simulate(many(200, 1000, { horizonMs: 10_000 }));
    expect(starts).toHaveLength(200);
    expect(mostInAMinute(starts)).toBeLessThanOrEqual(LIMIT + SLOT);
    // 200,000 tokens take 200 s.
    expect(starts.at(-1)?.at).toBeLessThan(206_000);
  });

  it('that are held are not given twice, and are void after a minute or under another limit', async () => {
    const { limiter, clock } = simulation(LIMIT);
    await limiter.reserve({ tokens: 30_000, horizonMs: 0 });
    const turn = await limiter.reserve({ tokens: 1000, horizonMs: 60_000 });
    expect(turn).toMatchObject({ granted: false, reservation: { tokens: 1000, limit: LIMIT } });
    const held = turn.granted ? undefined : turn.reservation;
    const again = () => limiter.reserve({ tokens: 1000, held, horizonMs: 60_000 });
    expect(await again()).toEqual(turn);
    clock.now += 31_000;
    expect(await again()).toMatchObject({ granted: true, reservation: held });
    clock.now += 60_000;
    expect((await again()).granted && (await again())).not.toMatchObject({ reservation: held });
    await limiter.setLimit(1_000_000);
    expect(await again()).toMatchObject({ granted: true, reservation: { limit: 1_000_000 } });
  });

  it('ahead of the others go to calls that are first, up to a tenth of the limit', async () => {
    const { simulate } = simulation(LIMIT);
    const starts = await simulate([
      ...many(60, 1000),
      ...Array.from({ length: 3 }, (_, i) => ({
        name: `ask ${i}`,
        tokens: 1000,
        at: 1000,
        first: true,
      })),
      { name: 'last', tokens: 1000, at: 1500, horizonMs: 600_000 },
    ]);
    const at = (name: string) => starts.find((start) => start.name === name)?.at ?? 0;
    expect(at('ask 0')).toBe(1000);
    expect(at('ask 2')).toBeLessThan(25_000);
    expect(at('last')).toBeGreaterThanOrEqual(62_000);
  });
});

describe('the limit itself', () => {
  it('is none where none was set, and the worker’s own again when it is taken back', async () => {
    const { limiter } = simulation(null);
    const ask = () => limiter.reserve({ tokens: 1e9, horizonMs: 0 });
    expect(await ask()).toEqual({ granted: true, reservation: null });
    await limiter.setLimit(5000);
    expect(await limiter.limit()).toBe(5000);
    expect(await ask()).toMatchObject({ granted: true, reservation: { limit: 5000 } });
    expect(await ask()).toMatchObject({ granted: false, limit: 5000 });
    await limiter.setLimit(null);
    expect(await ask()).toEqual({ granted: true, reservation: null });
  });

  it('is noticed by other workers within seconds', async () => {
    const { limiter, another, clock } = simulation(LIMIT);
    const other = another();
    expect(await other.limit()).toBe(LIMIT);
    await limiter.setLimit(100);
    clock.now += 5000;
    expect(await other.limit()).toBe(100);
  });

  it('cannot be 0', async () => {
    const { limiter } = simulation(LIMIT);
    await expect(limiter.setLimit(0)).rejects.toMatchObject({ type: 'BadInput' });
    expect(await limiter.limit()).toBe(LIMIT);
  });

  it('is asked for again when the store failed to tell', async () => {
    const { limiter } = simulation(LIMIT, failingOnce());
    await expect(limiter.limit()).rejects.toThrow('away');
    expect(await limiter.limit()).toBe(LIMIT);
  });
});

function failingOnce() {
  let asked = 0;
  const store = new MemoryStore();
  const get = store.get.bind(store);
  store.get = async (key) => {
    if (asked++ === 0) throw new Error('away');
    return get(key);
  };
  return store;
}
