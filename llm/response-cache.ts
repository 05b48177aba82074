/** Stores every response that was paid for, under a key made of everything that decided it. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.js';
import { contentHash, sha256Of } from '../core/sha256.js';
import { addEstimated, type EstimatedUsage } from '../core/usage.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { type CacheEntry, hasEnd, mayServeRun, parseStored } from './cache-entry.js';
import { checkWritable, writeBeforePaying } from './keeping.js';
import type { Completion, CompletionRequest } from './language-model.js';
import { LEASE_MS, type ResponseLease, takeLease } from './response-lease.js';

export type { CacheEntry } from './cache-entry.js';

/** The parts of a cached response's key: everything that decides the response. */
export interface CacheKeyParts {
  /** `LanguageModel.provider`. */
  provider: string;
  request: CompletionRequest;
  /** Index of the sample, if a step draws several from the same prompt. */
  sample: number;
  /** How often the step had asked before, because it could not read the output; 0 at first. */
  attempt: number;
}

/** The activity that looks a response up in the cache. */
export interface Claimant {
  /** Name of the activity, the same for all its attempts. */
  origin: string;
  /**
   * The run of the activity, or its workflow's id. A response that ended with an unknown word is
   * given only to the run that paid for it.
   */
  run: string;
  /** Tells whether a response that another activity paid for may be used. */
  serves(completion: Completion): boolean;
}

/**
 * The result of a lookup in the response cache: a usable response if there is one, and whether
 * another activity is paying for one.
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

  /** Tells whether the cache has no response and no lease. @throws Errors of reading the store. */
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
