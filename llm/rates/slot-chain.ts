/**
 * Shares out a rate over time: a chain of short slots, each with the tokens that the rate allows in
 * it; what does not fit passes on to the next.
 *
 * Every request has a place in time of its own, so that those who wait come back one after the
 * other and not together, and a window's end lets nobody have two windows' worth at once: over any
 * minute the rate is exceeded by a slot's share and the last request at most. A request larger than
 * a slot, or than a minute, takes the slots it needs.
 */
import type { Counters } from '../../stores/counters.js';

/** The approximate length of a slot; exactly, the time of a whole number of tokens. */
const SLOTS_A_MINUTE = 60;

/** Longer than the clocks of two workers may differ. */
const KEPT_SECONDS = 60;

export type SlotChain = ReturnType<typeof slotChain>;

/** @param name Tells chains apart in the counters that all workers share. */
export function slotChain(counters: Counters, name: string, tokensPerMinute: number) {
  /** Tokens a slot. */
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
   * Takes the next free place for a number of tokens, unless that is after `latest`.
   *
   * @returns when the first of the tokens is free, in milliseconds since the epoch.
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
      // What exceeded the share before this request is not its to pass on.
      rest = Math.min(rest, total - share);
    }
    return { startsAt, taken: true };
  }

  return {
    take,
    /** Charges the chain, or gives back with a negative number, where it has room next. */
    async charge(tokens: number, now: number): Promise<void> {
      if (tokens > 0) await take(tokens, now, Number.POSITIVE_INFINITY);
      else if (tokens < 0) await add(nextSlot(now), tokens, now);
    },
  };
}
