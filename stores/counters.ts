/** Counts in a store that all who add share. */
import type { KeyValueStore } from './key-value-store.js';

export interface Counters {
  /**
   * Adds to a count, in one step for all who add, and gives the new total.
   *
   * @param amount A whole number; a negative one takes away.
   * @param seconds How long a count that was not there is kept.
   */
  add(key: string, amount: number, seconds: number): Promise<number>;
}

/** What the keys of counts begin with. */
const PREFIX = 'count:';
/** After so many additions this process looks for counts whose time is over. */
const SWEEP_AFTER = 2_000;

interface Count {
  total: number;
  /** Milliseconds since 1970: it starts at nothing from then on. */
  expiresAt: number;
}

/** Somebody of this process who adds, and waits for the total. */
interface Addition {
  amount: number;
  seconds: number;
  resolve(total: number): void;
  reject(error: unknown): void;
}

/**
 * Additions of this process to one count that come while another one is written are written
 * together: under a folder, where each write waits for the disk, many at once take as long as two.
 */
export function storeCounters(store: KeyValueStore): Counters {
  const waiting = new Map<string, Addition[]>();
  let additions = 0;

  async function write(key: string, all: readonly Addition[]): Promise<void> {
    const amount = all.reduce((sum, addition) => sum + addition.amount, 0);
    const before = await added(store, PREFIX + key, amount, all[0]?.seconds ?? 0);
    let total = before;
    for (const addition of all) {
      total += addition.amount;
      addition.resolve(total);
    }
  }

  /** Until nobody adds to this count. */
  async function work(key: string): Promise<void> {
    for (;;) {
      const all = waiting.get(key) ?? [];
      if (all.length === 0) break;
      waiting.set(key, []);
      await write(key, all).catch((error: unknown) => {
        for (const { reject } of all) reject(error);
      });
    }
    waiting.delete(key);
  }

  return {
    add(key, amount, seconds) {
      if (++additions % SWEEP_AFTER === 0) sweep(store).catch(() => {});
      return new Promise((resolve, reject) => {
        const addition = { amount, seconds, resolve, reject };
        const others = waiting.get(key);
        if (others) others.push(addition);
        else {
          waiting.set(key, [addition]);
          void work(key);
        }
      });
    },
  };
}

/** Adds, whoever else does, and gives the total before it. */
async function added(
  store: KeyValueStore,
  key: string,
  amount: number,
  seconds: number,
): Promise<number> {
  for (;;) {
    const text = await store.get(key);
    const now = Date.now();
    const { total, expiresAt } = text === undefined ? expired(now) : readCount(text);
    const isOver = expiresAt <= now;
    const before = isOver ? 0 : total;
    const count: Count = {
      total: before + amount,
      expiresAt: isOver ? now + seconds * 1000 : expiresAt,
    };
    const next = JSON.stringify(count);
    const isWritten =
      next === text ||
      (text === undefined
        ? await store.setIfAbsent(key, next)
        : await store.compareAndSet(key, text, next));
    if (isWritten) return before;
  }
}

function expired(now: number): Count {
  return { total: 0, expiresAt: now };
}

function readCount(text: string): Count {
  return JSON.parse(text) as Count;
}

/** Deletes what is over; what is added to one of them meanwhile may be lost with it. */
async function sweep(store: KeyValueStore): Promise<void> {
  for await (const { key } of store.list(PREFIX)) {
    const text = await store.get(key);
    if (text !== undefined && readCount(text).expiresAt <= Date.now()) await store.delete(key);
  }
}
