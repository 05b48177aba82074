import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { KeyValueStore } from './key-value-store.js';

/**
 * A lease as data: the name that it reserves, its holder, the time at which it expires, and a
 * number that grows with each holder.
 */
export interface Lease {
  /** Name of what is leased. */
  name: string;
  /**
   * Number that grows with each holder and stays the same when the lease is renewed. The protected
   * resource can remember the highest number seen and refuse lower ones, because a holder that was
   * paused for long does not know that its lease has expired.
   */
  fence: number;
  /** Name of the holder, for people. */
  holder: string;
  /** Time of expiry, in milliseconds since 1970. */
  expiresAt: number;
}

/** Leases by name, each with one holder at a time. */
export interface Leases {
  /** Acquires a lease that is free or expired; returns undefined while another holder has it. */
  acquire(name: string, options: { holder: string; ms: number }): Promise<Lease | undefined>;
  /**
   * Extends a lease to `ms` from now. Returns undefined if it is lost, because it expired or was
   * released; then the protected work must stop.
   */
  renew(lease: Lease, ms: number): Promise<Lease | undefined>;
  /**
   * Releases a lease, so that the next holder can acquire it at once. Does nothing if it is already
   * lost.
   */
  release(lease: Lease): Promise<void>;
}

const stored = z.object({ fence: z.number(), holder: z.string(), expiresAt: z.number() });

/**
 * Returns leases that are stored in a key-value store under `lease:NAME`, and so shared by all
 * processes that use the store. The clocks of the machines must agree to well within the duration
 * of a lease.
 *
 * @param now Returns the current time in milliseconds since 1970.
 * @example
 * const lease = await leases(store).acquire('batch/nq', { holder: hostname(), ms: 30_000 });
 * if (lease === undefined) return;
 */
export function leases(store: KeyValueStore, now: () => number = Date.now): Leases {
  const keyOf = (name: string) => `lease:${name}`;
  // The fields are always written in this order, so that equal leases have equal texts.
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
      // The entry is not deleted, because the next fence is counted from it.
      await change(lease, { ...lease, expiresAt: 0 });
    },
  };
}

/** Duration of a lease, and pause between attempts to acquire it, in milliseconds. */
const LEASE_MS = 9_000;
const RETRY_MS = 250;

/**
 * Runs a function while this process has the lease of a name, and returns the function's result.
 * Waits first if another holder has the lease: until it is released, or about 9 seconds if that
 * holder was killed. A lease that is lost meanwhile does not stop the function.
 *
 * @param holder Name of this holder, for people.
 */
export async function withLease<T>(
  kept: Leases,
  name: string,
  holder: string,
  work: () => Promise<T>,
): Promise<T> {
  let lease = await kept.acquire(name, { holder, ms: LEASE_MS });
  while (!lease) {
    await setTimeout(RETRY_MS);
    lease = await kept.acquire(name, { holder, ms: LEASE_MS });
  }
  let held = lease;
  const renewing = setInterval(() => {
    // If the store is away, the work itself fails.
    kept.renew(held, LEASE_MS).then(
      (renewed) => {
        held = renewed ?? held;
      },
      () => {},
    );
  }, LEASE_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await kept.release(held);
  }
}
