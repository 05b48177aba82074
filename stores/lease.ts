import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { KeyValueStore } from './key-value-store.js';

/** A lease as its holder has it. */
export interface Lease {
  name: string;
  /**
   * Grows with each holder, and stays through renewals. What the lease protects can keep the highest
   * it has seen and refuse a lower one: a holder that was stopped for long does not know that it is
   * late.
   */
  fence: number;
  /** For people who look for who holds it. */
  holder: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** Leases by name, each with one holder at a time. */
export interface Leases {
  /** Takes a lease that nobody holds, or whose time is over; undefined while somebody holds it. */
  acquire(name: string, options: { holder: string; ms: number }): Promise<Lease | undefined>;
  /**
   * Holds on to it for so long from now. Undefined when it is lost: its time was over, or it was
   * released; then the work that it protects must stop.
   */
  renew(lease: Lease, ms: number): Promise<Lease | undefined>;
  /** Gives it back, for the next one to take at once. One that is lost already stays as it is. */
  release(lease: Lease): Promise<void>;
}

const stored = z.object({ fence: z.number(), holder: z.string(), expiresAt: z.number() });

/**
 * Leases kept in a store under `lease:NAME`, which all who want them share. The clocks of the
 * machines must agree to well within the time of a lease.
 *
 * @example
 * const lease = await leases(store).acquire('batch/nq', { holder: hostname(), ms: 30_000 });
 * if (lease === undefined) return;
 */
export function leases(store: KeyValueStore, now: () => number = Date.now): Leases {
  const keyOf = (name: string) => `lease:${name}`;
  // Always written in this order, so that a lease is told by its text.
  const textOf = ({ fence, holder, expiresAt }: Lease) =>
    JSON.stringify({ fence, holder, expiresAt });

  async function change(from: Lease, to: Lease): Promise<boolean> {
    return store.compareAndSet(keyOf(from.name), textOf(from), textOf(to));
  }

  return {
    async acquire(name, { holder, ms }) {
      const first: Lease = { name, fence: 1, holder, expiresAt: now() + ms };
      const text = await store.get(keyOf(name));
      if (text === undefined) {
        return (await store.setIfAbsent(keyOf(name), textOf(first))) ? first : undefined;
      }
      const last: Lease = { name, ...stored.parse(JSON.parse(text)) };
      if (last.expiresAt > now()) return undefined;
      const next = { ...first, fence: last.fence + 1 };
      return (await change(last, next)) ? next : undefined;
    },
    async renew(lease, ms) {
      if (lease.expiresAt <= now()) return undefined;
      const longer = { ...lease, expiresAt: now() + ms };
      return (await change(lease, longer)) ? longer : undefined;
    },
    async release(lease) {
      // It is not deleted: the next fence is counted from this one.
      await change(lease, { ...lease, expiresAt: 0 });
    },
  };
}

/** How long a holder that was killed is waited for, and how often one that works says so. */
const HELD_MS = 9_000;
const LOOK_MS = 250;

/**
 * Does work while nobody else holds the name; waits for whoever does, and for one that was killed
 * until its lease is over.
 */
export async function holding<T>(
  kept: Leases,
  name: string,
  holder: string,
  work: () => Promise<T>,
): Promise<T> {
  let lease = await kept.acquire(name, { holder, ms: HELD_MS });
  while (!lease) {
    await setTimeout(LOOK_MS);
    lease = await kept.acquire(name, { holder, ms: HELD_MS });
  }
  let held = lease;
  const renewing = setInterval(() => {
    // A store that is away fails the work itself.
    kept.renew(held, HELD_MS).then(
      (renewed) => {
        held = renewed ?? held;
      },
      () => {},
    );
  }, HELD_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await kept.release(held);
  }
}
