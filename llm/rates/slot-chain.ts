/**
 * Distributes a rate over time: a chain of short slots, each with the tokens that the rate allows
 * in it; the excess passes on to the next slot.
 *
 * Every request has its own place in time, so waiting requests return one after the other, and no
 * window's end allows the tokens of two windows at once. In any minute the rate is exceeded by at
 * most a slot's share and the last request. A request larger than a slot, or than a minute, takes
 * as many slots as it needs.
 */
import type { Counters } from '../../stores/counters.js';

/** Slots in a minute, approximately: a slot lasts for a whole number of tokens. */
const SLOTS_A_MINUTE = 60;

/** How long counters are kept, in seconds; longer than the clocks of two workers may differ. */
const KEPT_SECONDS = 60;

/**
 * A rate of tokens a minute as a chain of short slots of time, in which calls reserve tokens: see
 * `slotChain`.
 */
export type SlotChain = ReturnType<typeof slotChain>;

/**
 * Returns a chain of slots. @param name Distinguishes chains in the counters that all workers
 * share.
 */
export function slotChain(counters: Counters, name: string, tokensPerMinute: number) {
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
   * Takes the next free place for a number of tokens, unless it is after `latest`.
   *
   * @returns When the first of the tokens is free, in milliseconds since 1970.
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
