/**
 * A limit of tokens per minute: reserved before a call by an estimate, reconciled after it by usage.
 */
import { Failure } from '../../core/failure.js';
import { type Counters, storeCounters } from '../../stores/counters.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';

/**
 * A call's reservation under the limit of tokens per minute, which a later attempt can use: the
 * time from which the call may be made, and the number of tokens. JSON-safe.
 */
export interface Reservation {
  /** Time from which the call may be made, in milliseconds since 1970. */
  startsAt: number;
  /** Reserved tokens. */
  tokens: number;
  /** The limit at the time, in tokens per minute; under another limit the reservation is void. */
  limit: number;
}

interface TokenRequest {
  /** Estimated tokens of the call. */
  tokens: number;
  /** Reservation of an earlier attempt of the call. */
  held?: Reservation | undefined;
  /** Longest time until a reservation may start, in milliseconds; a later one is refused. */
  horizonMs: number;
  /** Whether the call goes ahead of others, which then wait longer. */
  first?: boolean;
}

type Turn =
  /** The reservation is null if no limit is set. */
  | { granted: true; reservation: Reservation | null }
  /** The call must wait, for its own reservation if it has one. */
  | { granted: false; retryAfterMs: number; limit: number; reservation?: Reservation };

/**
 * Functions that reserve tokens for calls under a limit per minute, which all workers share, and
 * that correct reservations by the usage; as `tokenLimiter` returns them.
 */
export type TokenLimiter = ReturnType<typeof tokenLimiter>;

interface TokenLimiterOptions {
  /** Store that all workers share, for counters and for a limit set at run time. */
  store: KeyValueStore;
  queue: string;
  /** Limit in tokens per minute if none was set at run time; null for no limit. */
  ownLimit: number | null;
  /** Returns milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** Returns a number of at least 0 and less than 1. @default Math.random */
  random?: () => number;
}

/** Time in milliseconds after which a limit set by another worker is noticed. */
const LIMIT_KEPT_MS = 3000;
/** Longest wait that is not worth a retry, in milliseconds: the call is made at once. */
const AT_ONCE_MS = 250;
/** Fraction of the horizon over which the retries of calls without a reservation are spread. */
const SPREAD = 0.9;
/**
 * Time for which an unused reservation stays valid, in milliseconds: a minute, as a provider
 * counts.
 */
const GOOD_FOR_MS = 60_000;
/**
 * Largest call, in minutes of the limit. No provider accepts more than one minute, and such a call
 * must not block others.
 */
const LARGEST_MINUTES = 10;
/** Fraction of the limit for calls that go ahead of others, in addition to the limit itself. */
const AHEAD_SHARE = 0.1;

/**
 * Returns the limiter of tokens per minute for a task queue: `reserve` and `reconcile` for the
 * tokens of calls, `limit` and `setLimit` for the limit itself. Workers of the queue that use the
 * same store share the limit.
 */
export function tokenLimiter(options: TokenLimiterOptions) {
  const { store, queue, ownLimit, now = Date.now, random = Math.random } = options;
  const counters = storeCounters(store);
  const key = `tokens-per-minute:${queue}`;
  let known: { limit: Promise<number | null>; at: number } | undefined;
  let chains: Chains | undefined;

  async function read(): Promise<number | null> {
    return readLimit(await store.get(key)) ?? ownLimit;
  }

  function limit(): Promise<number | null> {
    if (!known || now() - known.at > LIMIT_KEPT_MS) {
      known = { limit: read(), at: now() };
      // If the store was away, the next call asks it again.
      known.limit.catch(() => {
        known = undefined;
      });
    }
    return known.limit;
  }

  function chainsOf(perMinute: number): Chains {
    if (chains?.limit !== perMinute) {
      const ahead = Math.ceil(perMinute * AHEAD_SHARE);
      chains = {
        limit: perMinute,
        all: slotChain(counters, queue, perMinute),
        ahead: slotChain(counters, `${queue}:ahead`, ahead),
      };
    }
    return chains;
  }

  function turn(reservation: Reservation): Turn {
    const waitMs = reservation.startsAt - now();
    if (waitMs <= AT_ONCE_MS) return { granted: true, reservation };
    const retryAfterMs = Math.ceil(waitMs);
    return { granted: false, retryAfterMs, limit: reservation.limit, reservation };
  }

  return {
    async reserve({ tokens: asked, held, horizonMs, first = false }: TokenRequest): Promise<Turn> {
      const perMinute = await limit();
      if (perMinute === null) return { granted: true, reservation: null };
      if (held?.limit === perMinute && held.startsAt > now() - GOOD_FOR_MS) return turn(held);

      const tokens = charged(asked, perMinute);
      const { all, ahead } = chainsOf(perMinute);
      const latest = first ? Number.POSITIVE_INFINITY : now() + horizonMs;
      const { startsAt, taken } = await all.take(tokens, now(), latest);
      if (!taken) {
        // The call returns before the places taken run out, and not together with others.
        const spreadMs = random() * horizonMs * SPREAD;
        const retryAfterMs = Math.ceil(startsAt - latest + AT_ONCE_MS + spreadMs);
        return { granted: false, retryAfterMs, limit: perMinute };
      }
      if (!first || startsAt <= now() + AT_ONCE_MS) {
        return turn({ startsAt, tokens, limit: perMinute });
      }
      const sooner = await ahead.take(tokens, now(), startsAt);
      return turn({ startsAt: Math.min(startsAt, sooner.startsAt), tokens, limit: perMinute });
    },
    /** Replaces the estimate of a reservation by the tokens used. */
    async reconcile(reservation: Reservation | null, used: number): Promise<void> {
      // After a change of the limit, its place no longer counts.
      if (!reservation || reservation.limit !== (await limit())) return;
      const difference = charged(used, reservation.limit) - reservation.tokens;
      await chainsOf(reservation.limit).all.charge(difference, now());
    },
    /** Returns the limit in tokens per minute; null for no limit. */
    limit,
    /**
     * Sets the limit for all workers that share the store; null restores each worker's own.
     *
     * @throws Failure BadInput for less than 1.
     */
    async setLimit(tokensPerMinute: number | null): Promise<void> {
      if (tokensPerMinute !== null && !(tokensPerMinute >= 1)) {
        throw new Failure('BadInput', 'tokensPerMinute: must be at least 1, or null for no limit.');
      }
      await store.set(key, JSON.stringify(tokensPerMinute));
      known = undefined;
    },
  };
}

interface Chains {
  limit: number;
  /** Holds the limit: every call has a place in this chain. */
  all: ReturnType<typeof slotChain>;
  ahead: ReturnType<typeof slotChain>;
}

/** Returns the charge as a whole number, which counters require. */
function charged(tokens: number, perMinute: number): number {
  return Math.min(Math.max(Math.ceil(tokens), 1), Math.ceil(perMinute * LARGEST_MINUTES));
}

function readLimit(text: string | undefined): number | null {
  const value: unknown = text === undefined ? null : JSON.parse(text);
  return typeof value === 'number' ? value : null;
}

/** Slots in a minute, approximately: a slot lasts for a whole number of tokens. */
const SLOTS_A_MINUTE = 60;

/**
 * Time for which counters are kept, in seconds; longer than the clocks of two workers may differ.
 */
const KEPT_SECONDS = 60;

/**
 * Returns a rate limit as a chain of slots of about a second, each with the tokens that the rate
 * allows in it; the excess passes on to the next slot.
 *
 * Every request has its own place in time, so waiting requests return one after the other, and no
 * window's end allows the tokens of two windows at once. In any minute the rate is exceeded by at
 * most a slot's share and the last request. A request larger than a slot, or than a minute, takes
 * as many slots as it needs.
 *
 * @param name Distinguishes chains in the counters that all workers share.
 */
function slotChain(counters: Counters, name: string, tokensPerMinute: number) {
  /** Tokens of a slot. */
  const share = Math.max(1, Math.round(tokensPerMinute / SLOTS_A_MINUTE));
  const slotMs = (share * 60_000) / tokensPerMinute;
  /** The first slot that may have room, as far as this process knows. */
  let firstFree = 0;

  const nextSlot = (now: number) => Math.max(Math.floor(now / slotMs), firstFree);
  function add(slot: number, tokens: number, now: number): Promise<number> {
    const seconds = Math.ceil(((slot + 1) * slotMs - now) / 1000) + KEPT_SECONDS;
    return counters.add(`${name}:${tokensPerMinute}:${slot}`, tokens, seconds);
  }

  /**
   * Reserves a number of tokens at the next time at which they are free, unless that is after
   * `latest`.
   *
   * @returns That time, in milliseconds since 1970, and as `taken` whether the tokens were
   * reserved.
   */
  async function take(tokens: number, now: number, latest: number) {
    let slot = nextSlot(now);
    // Other workers can only have moved it later.
    if (slot * slotMs > latest) return { startsAt: slot * slotMs, taken: false };
    let startsAt: number | undefined;
    for (let rest = tokens; rest > 0 || startsAt === undefined; slot++) {
      const total = await add(slot, rest, now);
      const before = total - rest;
      if (startsAt === undefined && before < share) {
        startsAt = (slot + Math.max(before, 0) / share) * slotMs;
        if (startsAt > latest) {
          await add(slot, -rest, now);
          return { startsAt, taken: false };
        }
      }
      if (total >= share) firstFree = Math.max(firstFree, slot + 1);
      // The excess before this request has already been passed on.
      rest = Math.min(rest, total - share);
    }
    return { startsAt, taken: true };
  }

  return {
    take,
    /** Adds tokens to the next free place, or returns them if negative. */
    async charge(tokens: number, now: number): Promise<void> {
      if (tokens > 0) await take(tokens, now, Number.POSITIVE_INFINITY);
      else if (tokens < 0) await add(nextSlot(now), tokens, now);
    },
  };
}
