/** The lease of the activity that pays for a response, renewed meanwhile. */
import type { KeyValueStore } from '../stores/key-value-store.js';
import { type Leased, parseKept } from './cache-entry.js';

/**
 * How long a lease outlives its holder. At each renewal three quarters are left, by which the
 * clocks of workers may differ.
 */
export const LEASE_MS = 8000;
const RENEWALS = 4;

/** The lease is under the key itself, so that the answer ends it: one operation more a call. */
export class ResponseLease {
  readonly #store: KeyValueStore;
  readonly #key: string;
  readonly #ms: number;
  readonly #timer: NodeJS.Timeout;
  /** The value in the store, as the holder knows it. */
  #leased: Leased;
  /** Renewals and their end, one after the other. */
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  private constructor(store: KeyValueStore, key: string, leased: Leased, ms: number) {
    this.#store = store;
    this.#key = key;
    this.#ms = ms;
    this.#leased = leased;
    this.#timer = setInterval(() => {
      // A store that is away is tried again at the next renewal.
      this.#last = this.#last.then(() => this.#renew()).catch(() => {});
    }, ms / RENEWALS);
  }

  /**
   * Takes the lease where the key still holds what was seen there.
   *
   * @returns undefined where somebody was faster.
   */
  static async take(
    store: KeyValueStore,
    key: string,
    seen: { text: string | undefined } & Pick<Leased, 'before' | 'loss'>,
    holder: string,
    ms: number,
  ): Promise<ResponseLease | undefined> {
    const leased: Leased = {
      lease: { holder, expiresAt: Date.now() + ms },
      ...(seen.loss && { loss: seen.loss }),
      ...(seen.before && { before: seen.before }),
    };
    const text = JSON.stringify(leased);
    const isTaken =
      seen.text === undefined
        ? await store.setIfAbsent(key, text)
        : await store.compareAndSet(key, seen.text, text);
    return isTaken ? new ResponseLease(store, key, leased, ms) : undefined;
  }

  /**
   * Answers in place of the lease, which is renewed until `write` has succeeded.
   *
   * @param write Is given what the holder last left under the key.
   */
  async end<T>(write: (expected: string) => Promise<T>): Promise<T> {
    const writing = this.#last.then(() => write(JSON.stringify(this.#leased)));
    this.#last = writing.then(
      () => this.stop(),
      () => {},
    );
    return writing;
  }

  /** Lets it expire. */
  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  /** Gives it back without an answer, for the next holder. */
  async release(): Promise<void> {
    this.stop();
    await this.#last;
    const { lease, before } = this.#leased;
    // A key cannot be deleted on condition.
    const free: Leased = { lease: { ...lease, expiresAt: 0 } };
    const [text, after] = [JSON.stringify(this.#leased), JSON.stringify(before ?? free)];
    // Where the store is away, it expires.
    await this.#store.compareAndSet(this.#key, text, after).catch(() => {});
  }

  async #renew(): Promise<void> {
    if (this.#isOver) return;
    const { lease } = this.#leased;
    const longer = { ...this.#leased, lease: { ...lease, expiresAt: Date.now() + this.#ms } };
    if (await this.#replace(longer)) return;
    // An earlier renewal may have succeeded though the store failed; else it is lost.
    const { leased } = parseKept(await this.#store.get(this.#key));
    if (leased?.lease.holder === lease.holder) this.#leased = leased;
    else this.stop();
  }

  async #replace(longer: Leased): Promise<boolean> {
    const [before, after] = [JSON.stringify(this.#leased), JSON.stringify(longer)];
    if (!(await this.#store.compareAndSet(this.#key, before, after))) return false;
    this.#leased = longer;
    return true;
  }
}
