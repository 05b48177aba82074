/** Service tiers of calls: at once, or cheaper when the provider has room. Pure. */

export const TIERS = ['standard', 'flex'] as const;

/**
 * A service tier. "flex" is cheaper and slower, if the provider has it, and may be refused for lack
 * of capacity.
 */
export type Tier = (typeof TIERS)[number];

/** Tiers by step name; "default" for other steps. */
type Tiers = Readonly<Record<string, Tier>>;

export function tierOf(step: string, tiers: Tiers | undefined): Tier {
  return tiers?.[step] ?? tiers?.default ?? 'standard';
}

/** Least timeout of a flex call, in seconds: providers advise fifteen minutes. */
const FLEX_TIMEOUT_SECONDS = 900;

/**
 * Returns the timeout of a call in seconds: the given one, but at least 15 minutes at the flex
 * tier.
 */
export function timeoutAt(tier: Tier, seconds: number): number {
  return tier === 'flex' ? Math.max(seconds, FLEX_TIMEOUT_SECONDS) : seconds;
}
