/** Service tiers of model calls. Pure. */

/** The service tiers that a call can request, "standard" and "flex". */
export const TIERS = ['standard', 'flex'] as const;

/**
 * A service tier. "flex" is cheaper and slower, if the provider has it, and calls may be refused
 * for lack of capacity.
 */
export type Tier = (typeof TIERS)[number];

/** Tiers by step name; "default" for other steps. */
type Tiers = Readonly<Record<string, Tier>>;

/** Returns the tier of a step: its own, or else that of `default`, or else "standard". */
export function tierOf(step: string, tiers: Tiers | undefined): Tier {
  return tiers?.[step] ?? tiers?.default ?? 'standard';
}

/** Least timeout of a flex call, in seconds: providers advise fifteen minutes. */
const FLEX_TIMEOUT_SECONDS = 900;

/**
 * Returns the timeout of a call in seconds: the given one, at the flex tier at least 15 minutes.
 */
export function timeoutAt(tier: Tier, seconds: number): number {
  return tier === 'flex' ? Math.max(seconds, FLEX_TIMEOUT_SECONDS) : seconds;
}
