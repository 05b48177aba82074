/**
 * Stores every response that was paid for, under a key made of everything that decided it, and leases
 * the right to pay for one.
 */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.js';
import { contentHash, sha256Of } from '../core/sha256.js';
import { addEstimated, type EstimatedUsage } from '../core/usage.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import {
  type CacheEntry,
  hasEnd,
  type LeasedEntry,
  mayServeRun,
  parseStored,
} from './cache-entry.js';
import { checkWritable, writeBeforePaying } from './keeping.js';
import type { Completion, CompletionRequest } from './language-model.js';

export type { CacheEntry } from './cache-entry.js';

/** The parts of a cached response's key: everything that decides the response. */
export interface CacheKeyParts {
  /** `LanguageModel.provider`. */
  provider: string;
  request: CompletionRequest;
  /** Index of the sample, if a step draws several from the same prompt. */
  sample: number;
  /**
   * Number of times that the step had asked before, because it could not read the output; 0 at
   * first.
   */
  attempt: number;
}

/**
 * An activity that looks up a response in the cache: its id, its run, and a function that returns
 * whether it can use a given response.
 */
export interface Claimant {
  /** Name of the activity, the same for all its attempts. */
  origin: string;
  /**
   * The run of the activity, or its workflow's id. A response that ended with an unknown word is
   * given only to the run that paid for it.
   */
  run: string;
  /** Returns whether a response that another activity paid for may be used. */
  serves(completion: Completion): boolean;
}

/**
 * The result of a lookup in the response cache: the response that may be used (undefined if there
 * is none), whether one is stored but not used because it does not record how its text ended,
 * whether another activity is paying for one now, the estimated usage of a call whose activity
 * died, and the stored value, for the next write.
 */
export interface CacheLookup {
  /** A response that may be used; undefined if there is none. */
  entry?: CacheEntry | undefined;
  /** Whether there is a response that is not used because it does not record how it ended. */
  isUnended: boolean;
  /** Whether another activity is paying for a response now. */
  isLeased: boolean;
  /**
   * Estimated usage and cost of the call of a holder that died, if no activity has taken it over.
   */
  loss?: EstimatedUsage | undefined;
  /** The stored value, which is the condition of the next write. */
  text: string | undefined;
}

/** A store of model responses, with leases so that only one activity pays for each response. */
export class ResponseCache {
  /** @param leaseMs Time in milliseconds that a lease outlives its worker. */
  constructor(
    private readonly kept: KeyValueStore,
    private readonly leaseMs = LEASE_MS,
  ) {}

  /**
   * Returns a response that may be used for a new call.
   *
   * The activity that paid for it always gets it back, after a crash or while its output cannot be
   * read, so that nothing is paid for twice. Others get it only if it can be read. A damaged entry
   * counts as absent; so does one that does not say how it ended.
   *
   * @throws Errors of reading the store.
   */
  async find(key: string, claimant: Claimant): Promise<CacheLookup> {
    const text = await this.kept.get(key);
    const { stored, leased } = parseStored(text);
    const entry = stored && hasEnd(stored) ? stored : undefined;
    const expiresAt = leased?.lease.expiresAt ?? 0;
    const isLeased = expiresAt > Date.now();
    return {
      entry: entry && serves(entry, claimant) ? entry : undefined,
      isUnended: stored !== undefined && !entry,
      isLeased,
      ...(expiresAt > 0 && !isLeased && { loss: leased?.loss }),
      text,
    };
  }

  /** Returns whether the cache has neither response nor lease. @throws Errors of reading the store. */
  async isEmpty(): Promise<boolean> {
    for await (const _ of this.kept.list(VERSION)) return false;
    return true;
  }

  /**
   * Returns the text of a response, whoever paid for it; undefined if there is none.
   *
   * @throws Errors of reading the store.
   */
  async text(key: string): Promise<string | undefined> {
    return parseStored(await this.kept.get(key)).stored?.completion.text;
  }

  /** Deletes a response; the next equal call pays for it again. */
  async forget(key: string): Promise<void> {
    await this.kept.delete(key);
  }

  /**
   * Takes the right to pay for a response. Nobody else has it until the response is stored or the
   * lease released, or the holder has been dead for some seconds.
   *
   * @param found The last lookup: no usable response, and no one paying for it.
   * @param own Estimated loss if the holder of the lease dies.
   * @returns Undefined if another activity was faster.
   * @throws Failure StoreUnwritable.
   */
  async lease(
    key: string,
    { text, loss: takenOver }: CacheLookup,
    { origin }: Claimant,
    own?: EstimatedUsage,
  ): Promise<ResponseLease | undefined> {
    const before = parseStored(text).stored;
    const loss = addEstimated(takenOver, own);
    const holder = `${origin} ${randomUUID()}`;
    const seen = { text, before, loss };
    return writeBeforePaying(takeLease(this.kept, key, seen, holder, this.leaseMs));
  }

  /**
   * Makes sure that responses can be stored, before one is paid for.
   *
   * @throws Failure StoreUnwritable.
   */
  async probe(): Promise<void> {
    await checkWritable(this.kept);
  }

  /**
   * Stores a response; must be called before its use. Of several under one key, the first usable
   * one stays; a lease is replaced.
   *
   * @param expected The stored value, as far as it is known.
   * @returns The stored response, once it survives a crash.
   * @throws Errors of writing the store.
   */
  async store(
    key: string,
    entry: CacheEntry,
    expected: string | undefined,
    claimant: Claimant,
  ): Promise<CacheEntry> {
    const text = JSON.stringify(entry);
    for (let before = expected; ; ) {
      const isWritten =
        before === undefined
          ? await this.kept.setIfAbsent(key, text)
          : await this.kept.compareAndSet(key, before, text);
      if (isWritten) return entry;
      const found = await this.find(key, claimant);
      if (found.entry) return found.entry;
      before = found.text;
    }
  }
}

function serves({ origin, run, completion }: CacheEntry, claimant: Claimant): boolean {
  if (origin === claimant.origin) return true;
  return mayServeRun(completion, run, claimant.run) && claimant.serves(completion);
}

/** Prefix of every key. */
const VERSION = 'v1-';

/**
 * Returns the key of a response: "v1-" and a hash of all parts, 19 characters in all. `tier`,
 * `thinks` and `mostTokens` are left out, since they only decide when and at what cost there is an
 * answer, and whether it arrives.
 */
export function cacheKey({
  request: { tier: _, thinks: __, mostTokens: ___, ...request },
  ...parts
}: CacheKeyParts): string {
  // A prompt may have more than a million characters: it is hashed as it is.
  const messages = request.messages.map((one) => ({ ...one, content: sha256Of(one.content) }));
  const all = { ...parts, request: { ...request, messages } };
  return `${VERSION}${contentHash(canonicalJson(all))}`;
}

/**
 * Duration of a lease in milliseconds, counted from its last renewal. A renewal comes after each
 * quarter of it, so the clocks of workers may differ by up to the other three.
 */
const LEASE_MS = 8000;
/** Number of renewals in the duration of a lease. */
const RENEWALS = 4;

/**
 * The right to pay for a response, renewed until it is released or the response is stored. It is
 * kept under the response's key, so that storing the response replaces it.
 */
export type ResponseLease = ReturnType<typeof held>;

/**
 * Takes the lease of a response, if the key still has the value `text` that was read before, and
 * renews it until it ends.
 *
 * @param holder Identifies the activity and attempt that takes it.
 * @param ms Duration of the lease in milliseconds, counted from its last renewal.
 * @returns Undefined if another activity was faster.
 * @throws Errors of the store.
 */
async function takeLease(
  store: KeyValueStore,
  key: string,
  { text, loss, before }: { text: string | undefined } & Pick<LeasedEntry, 'before' | 'loss'>,
  holder: string,
  ms: number,
): Promise<ResponseLease | undefined> {
  // The fields are in the order of the schema, since the value is compared as text.
  const leased: LeasedEntry = {
    lease: { holder, expiresAt: Date.now() + ms },
    ...(loss && { loss }),
    ...(before && { before }),
  };
  const taken = JSON.stringify(leased);
  const isTaken =
    text === undefined
      ? await store.setIfAbsent(key, taken)
      : await store.compareAndSet(key, text, taken);
  return isTaken ? held(store, key, leased, ms) : undefined;
}

/** Returns a lease that was taken, and renews it. @param leased The value as it was stored. */
function held(store: KeyValueStore, key: string, leased: LeasedEntry, ms: number) {
  let known = leased;
  let isOver = false;
  /** The last renewal, so that renewals and the end run one after the other. */
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // If the store is away, the next renewal tries again.
    last = last.then(renew).catch(() => {});
  }, ms / RENEWALS);

  async function renew(): Promise<void> {
    if (isOver) return;
    const longer = { ...known, lease: { ...known.lease, expiresAt: Date.now() + ms } };
    if (await store.compareAndSet(key, JSON.stringify(known), JSON.stringify(longer))) {
      known = longer;
      return;
    }
    // An earlier renewal may have succeeded although the store failed; otherwise the lease is lost.
    const { leased: there } = parseStored(await store.get(key));
    if (there?.lease.holder === known.lease.holder) known = there;
    else stop();
  }

  /** Stops the renewals, so that the lease expires. */
  function stop(): void {
    isOver = true;
    clearInterval(timer);
  }

  return {
    stop,
    /**
     * Stores a response in place of the lease, which is renewed until `write` has succeeded.
     *
     * @param write Gets the value that the holder last wrote.
     */
    async end<T>(write: (expected: string) => Promise<T>): Promise<T> {
      const writing = last.then(() => write(JSON.stringify(known)));
      last = writing.then(stop, () => {});
      return writing;
    },
    /** Releases the lease without a response, for the next holder. */
    async release(): Promise<void> {
      stop();
      await last;
      const { lease, before } = known;
      // A key cannot be deleted conditionally.
      const free: LeasedEntry = { lease: { ...lease, expiresAt: 0 } };
      const after = JSON.stringify(before ?? free);
      // If the store is away, the lease expires.
      await store.compareAndSet(key, JSON.stringify(known), after).catch(() => {});
    },
  };
}
