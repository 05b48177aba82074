/** What the calls of tenants have taken: by tenant and day, whoever adds. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { Failure } from '../../core/failure.js';
import { NO_USAGE } from '../../core/usage.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { filterDays, tenantAccounts, usageBy } from '../../stores/tenant-accounts.js';

const usage = (costUsd: number | null, calls = 1) => ({ ...NO_USAGE, calls, costUsd });

/** The accounts of a worker whose clock can be set. */
function accountsAt(store: MemoryStore, time: string) {
  let now = Date.parse(time);
  const set = (to: string) => {
    now = Date.parse(to);
  };
  return { accounts: tenantAccounts(store, () => now), set };
}

it('counts each call once, though workers add at the same time', async () => {
  const store = new MemoryStore();
  const workers = [1, 2, 3].map(() => accountsAt(store, '2026-03-01T12:00:00Z').accounts);
  const adding = Array.from({ length: 90 }, (_, n) => workers[n % 3]?.add('acme', usage(0.01)));
  await Promise.all(adding);
  expect(await workers[0]?.today('acme')).toEqual({ ...usage(0.9), calls: 90 });
  expect(await workers[0]?.today('acme-2')).toEqual(NO_USAGE);
});

it('begins a new day at midnight by UTC', async () => {
  const { accounts, set } = accountsAt(new MemoryStore(), '2026-02-28T23:59:59.999Z');
  await accounts.add('acme', usage(1));
  set('2026-03-01T00:00:00Z');
  expect(await accounts.today('acme')).toEqual(NO_USAGE);
  await accounts.add('acme', usage(2));
  // The same moment in another zone.
  set('2026-03-01T23:30:00-05:00');
  expect(await accounts.today('acme')).toEqual(NO_USAGE);
  expect((await accounts.list()).map(({ day, usage }) => [day, usage.costUsd])).toEqual([
    ['2026-02-28', 1],
    ['2026-03-01', 2],
  ]);
});

it('tells usage by tenant and by day, of the days that are asked about', async () => {
  const store = new MemoryStore();
  const { accounts, set } = accountsAt(store, '2026-03-01T08:00:00Z');
  await accounts.add('zeta.org', usage(1));
  await accounts.add('acme', usage(2));
  set('2026-03-02T08:00:00Z');
  await accounts.add('acme', usage(null));
  await accounts.add('acme', usage(4));
  const days = await accounts.list();
  const costs = (by: 'day' | 'tenant', asked = {}) =>
    usageBy(by, filterDays(days, asked)).map(({ name, usage }) => [
      name,
      usage.costUsd,
      usage.knownUsd,
    ]);
  expect(costs('tenant')).toEqual([
    ['acme', null, 6],
    ['zeta.org', 1, undefined],
  ]);
  expect(costs('day')).toEqual([
    ['2026-03-01', 3, undefined],
    ['2026-03-02', null, 4],
  ]);
  expect(costs('tenant', { to: '2026-03-01', tenant: 'acme' })).toEqual([['acme', 2, undefined]]);
  expect(costs('day', { from: '2026-03-03' })).toEqual([]);
});

/** A store that can be away, and tells how often it was written to. */
class WatchedStore extends MemoryStore {
  isAway = false;
  written = 0;
  closed = 0;

  override async get(key: string) {
    if (this.isAway) throw new Failure('Connection', 'The store is away.');
    return super.get(key);
  }

  override async setIfAbsent(key: string, value: string) {
    this.written++;
    return super.setIfAbsent(key, value);
  }

  override async compareAndSet(key: string, before: string, value: string) {
    this.written++;
    return super.compareAndSet(key, before, value);
  }

  override async close() {
    this.closed++;
  }
}

it('writes what it has gathered together, by the day on which it was, and loses nothing at the end', async () => {
  const store = new WatchedStore();
  const { accounts, set } = accountsAt(store, '2026-02-28T23:59:59.999Z');
  for (let n = 0; n < 50; n++) accounts.gather('acme', usage(0.01));
  set('2026-03-01T00:00:00Z');
  accounts.gather('acme', usage(null));
  accounts.gather('zeta', usage(1));
  expect(store.written).toBe(0);
  await accounts.close();
  expect({ written: store.written, closed: store.closed }).toEqual({ written: 3, closed: 1 });
  const listed = (await accounts.list()).map(({ tenant, day, usage: { calls, costUsd } }) => {
    return [tenant, day, calls, costUsd === null ? null : costUsd.toFixed(2)];
  });
  expect(listed).toEqual([
    ['acme', '2026-02-28', 50, '0.50'],
    ['acme', '2026-03-01', 1, null],
    ['zeta', '2026-03-01', 1, '1.00'],
  ]);
});

it('keeps what it has gathered while the store is away, and says so if it stays away', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = new WatchedStore();
  const { accounts } = accountsAt(store, '2026-03-01T12:00:00Z');
  store.isAway = true;
  accounts.gather('acme', usage(1));
  await vi.advanceTimersByTimeAsync(20_000);
  store.isAway = false;
  accounts.gather('acme', usage(2));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await accounts.today('acme')).toMatchObject({ calls: 2, costUsd: 3 });
  accounts.gather('acme', usage(4));
  store.isAway = true;
  await expect(accounts.close()).rejects.toThrow('The store is away.');
  expect(store.closed).toBe(1);
});
