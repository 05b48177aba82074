/** Keeps what was paid for: every response of a model, under everything that decided it. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.js';
import { sha256Of } from '../core/sha256.js';
import { addEstimated, type Estimated } from '../core/usage.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { type CacheEntry, parseKept, saysEnd, servesRun } from './cache-entry.js';
import { beforePaying, probe } from './keeping.js';
import type { Completion, CompletionRequest } from './language-model.js';
import { LEASE_MS, type ResponseLease, takeLease } from './response-lease.js';

export type { CacheEntry } from './cache-entry.js';

/** Everything that decides a response, and which of several equal requests it is. */
export interface CacheKeyParts {
  /** `LanguageModel.provider`. */
  provider: string;
  request: CompletionRequest;
  /** Which of several samples of the same prompt. */
  sample: number;
  /** The re-ask of an unreadable output; 0 is the first time. */
  attempt: number;
}

export interface Claimant {
  /** Names the activity, and is the same for all its attempts. */
  origin: string;
  /** The run of the activity, or its workflow: only it is given an answer whose end is not known. */
  run: string;
  /** Tells whether a response that another activity paid for will do. */
  serves(completion: Completion): boolean;
}

export interface Found {
  /** A response that may stand for a new call. */
  entry?: CacheEntry | undefined;
  /** There is one of an earlier version, which does not say how it ended: it is not served. */
  isUnended: boolean;
  /** Somebody is paying for one at this moment. */
  isLeased: boolean;
  /** What a call of a dead holder may have cost, if nobody took it over. */
  loss?: Estimated | undefined;
  /** The current value: the condition of the next write. */
  text: string | undefined;
}

export class ResponseCache {
  /** @param leaseMs How long the lease of one who pays outlives its worker. */
  constructor(
    private readonly kept: KeyValueStore,
    private readonly leaseMs = LEASE_MS,
  ) {}

  /**
   * Returns a response that may stand for a new call.
   *
   * The activity that paid for it gets it back whatever it is, retried after a crash or while its
   * output cannot be read: nothing is paid twice. Anybody else gets it only where it can be read,
   * so that nobody inherits garbage. An entry that is damaged, or does not say how it ended, counts
   * as absent.
   *
   * @throws what the store throws when it cannot be read.
   */
  async find(key: string, claimant: Claimant): Promise<Found> {
    const text = await this.kept.get(key);
    const { stored, leased } = parseKept(text);
    const entry = stored && saysEnd(stored) ? stored : undefined;
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

  /** Tells whether nothing was ever kept. @throws what the store throws when it cannot be read. */
  async isEmpty(): Promise<boolean> {
    for await (const _ of this.kept.list(VERSION)) return false;
    return true;
  }

  /**
   * Returns the text of a response, whoever paid for it; undefined where there is none.
   *
   * @throws what the store throws when it cannot be read.
   */
  async text(key: string): Promise<string | undefined> {
    return parseKept(await this.kept.get(key)).stored?.completion.text;
  }

  /** Forgets a response: the next call that asks for the same pays for it again. */
  async forget(key: string): Promise<void> {
    await this.kept.delete(key);
  }

  /**
   * Takes the right to pay for a response. Nobody else has it until the response is kept or
   * released, or the holder is dead for some seconds.
   *
   * @param found What is there in its place: nothing of use, and nobody who pays.
   * @param own What the call may cost if its holder dies.
   * @returns undefined where somebody was faster.
   * @throws Failure StoreUnwritable.
   */
  async lease(
    key: string,
    { text, loss: takenOver }: Found,
    { origin }: Claimant,
    own?: Estimated,
  ): Promise<ResponseLease | undefined> {
    const before = parseKept(text).stored;
    const loss = addEstimated(takenOver, own);
    const holder = `${origin} ${randomUUID()}`;
    const seen = { text, before, loss };
    return beforePaying(takeLease(this.kept, key, seen, holder, this.leaseMs));
  }

  /**
   * Makes sure that responses can be kept, before one is paid for.
   *
   * @throws Failure StoreUnwritable.
   */
  async probe(): Promise<void> {
    await probe(this.kept);
  }

  /**
   * Keeps a response; call it before its use. Of several under one key the first usable one stays;
   * a lease gives way to it.
   *
   * @param expected What stands under the key, as far as is known.
   * @returns the response that stands, once it survives a crash.
   * @throws what the store throws when it cannot be written.
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
  return servesRun(completion, run, claimant.run) && claimant.serves(completion);
}

/** Of 64: no two requests meet, and a history holds the key of each call. */
const HEX_DIGITS = 32;

/** Begins every key. */
const VERSION = 'v1-';

/**
 * Returns the key of a response: a hash over all parts, 35 letters and digits. The tier is none of
 * them: it decides when an answer comes and what it costs. Nor are the room to think and the time to
 * write, which decide whether one comes.
 */
export function cacheKey({
  request: { tier: _, thinks: __, mostTokens: ___, ...request },
  ...parts
}: CacheKeyParts): string {
  return `${VERSION}${sha256Of(canonicalJson({ ...parts, request }), HEX_DIGITS)}`;
}
