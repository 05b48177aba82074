/** Keeps the usage of calls by tenant and day, in a store that all workers share. */
import { groupedBy } from '../core/grouped-by.js';
import { dayOf } from '../core/tenants.js';
import { addUsage, NO_USAGE, sumUsage, type Usage } from '../core/usage.js';
import { batchedAdd, updateAtomically } from './added-together.js';
import type { KeyValueStore } from './key-value-store.js';

/**
 * The usage (calls, tokens and US dollars) of the calls of one tenant, or of all calls without a
 * tenant (`NO_TENANT`), on one UTC day.
 */
export interface TenantDay {
  /** `NO_TENANT` for calls without one. */
  tenant: string;
  /** The day by UTC, as in "2026-11-27". */
  day: string;
  usage: Usage;
}

/** A store of the usage by tenant and day, as `tenantAccounts` returns it. */
export type TenantAccounts = ReturnType<typeof tenantAccounts>;

/** Time for which usage is gathered before it is written, in milliseconds. */
const GATHERED_MS = 5_000;

/**
 * Returns functions that add and read the usage of tenants by UTC day in a key-value store: `add`
 * writes it at once, `gather` within some seconds, `today` returns one tenant's usage of the
 * current day, and `list` all written days. Close them at the end (`close`), so that gathered
 * usage is written.
 *
 * @param now Returns the current time in milliseconds since 1970.
 */
export function tenantAccounts(store: KeyValueStore, now: () => number = Date.now) {
  const write = (key: string, usage: Usage) =>
    updateAtomically(store, key, (text) => JSON.stringify(addUsage(usageIn(text), usage)));
  const add = batchedAdd(write, addUsage);
  /** The usage that is not yet written, by key. */
  const gathered = new Map<string, Usage>();
  let timer: NodeJS.Timeout | undefined;
  /** The write that the timer began last; it never rejects. */
  let writing = Promise.resolve();

  function keep(key: string, usage: Usage): void {
    gathered.set(key, addUsage(gathered.get(key) ?? NO_USAGE, usage));
    timer ??= setTimeout(() => {
      writing = writeGathered().catch(() => {});
    }, GATHERED_MS).unref();
  }

  /** Writes what is gathered. What cannot be written stays gathered. */
  async function writeGathered(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const usages = [...gathered];
    gathered.clear();
    const written = usages.map(async ([key, usage]) => {
      try {
        await add(key, usage);
      } catch (error) {
        keep(key, usage);
        throw error;
      }
    });
    const failed = (await Promise.allSettled(written)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  return {
    now,
    /** Adds the usage of a call to the current day, and returns once that is written. */
    async add(tenant: string, usage: Usage): Promise<void> {
      await add(keyOf(tenant, dayOf(now())), usage);
    },
    /** Adds the usage of a call to the current day, which is written some seconds later. */
    gather(tenant: string, usage: Usage): void {
      keep(keyOf(tenant, dayOf(now())), usage);
    },
    /**
     * Writes what is gathered, and closes the store.
     *
     * @throws Failure Connection if it cannot be written.
     */
    async close(): Promise<void> {
      try {
        // What a write under way cannot write is gathered again.
        await writing;
        await writeGathered();
      } finally {
        clearTimeout(timer);
        await store.close();
      }
    },
    /**
     * Returns a tenant's usage of the current UTC day so far, without usage that is not written
     * yet.
     */
    async today(tenant: string): Promise<Usage> {
      return usageIn(await store.get(keyOf(tenant, dayOf(now()))));
    },
    /** Returns all written days, sorted by tenant and then by day. */
    async list(): Promise<TenantDay[]> {
      const days: TenantDay[] = [];
      for await (const { key } of store.list('')) {
        const [tenant = '', day = ''] = key.split('/');
        days.push({ tenant, day, usage: usageIn(await store.get(key)) });
      }
      const order = ({ tenant, day }: TenantDay) => `${tenant}/${day}`;
      return days.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    },
  };
}

/**
 * A filter for the usage by tenant and day: a tenant, and the first and last UTC day, both
 * included, as in "2026-11-27". An undefined field does not limit.
 */
export interface DayFilter {
  tenant?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Returns those of the tenants' daily usages that are of the filter's tenant and from its first to
 * its last UTC day, both included, in the same order.
 */
export function filterDays(
  days: readonly TenantDay[],
  { tenant, from, to }: DayFilter,
): TenantDay[] {
  return days.filter(
    (one) =>
      (tenant === undefined || one.tenant === tenant) &&
      (from === undefined || one.day >= from) &&
      (to === undefined || one.day <= to),
  );
}

/**
 * Returns an array with the total `usage` of each tenant, or of each day over all tenants, with
 * the tenant or day in `name`, sorted by `name`.
 */
export function usageBy(
  by: 'day' | 'tenant',
  days: readonly TenantDay[],
): { name: string; usage: Usage }[] {
  const groups = [...groupedBy(days, (one) => one[by])];
  return groups
    .map(([name, all]) => ({ name, usage: sumUsage(all.map(({ usage }) => usage)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the key of a tenant's day. Neither a tenant's name nor a day contains "/". */
function keyOf(tenant: string, day: string): string {
  return `${tenant}/${day}`;
}

function usageIn(text: string | undefined): Usage {
  return text === undefined ? NO_USAGE : (JSON.parse(text) as Usage);
}
