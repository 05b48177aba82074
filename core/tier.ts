/** The tiers of calls: at once, or cheaper when the provider has room. Pure. */

export const TIERS = ['standard', 'flex'] as const;

/** "flex" is slower and cheaper where the provider has it, and may be refused for lack of room. */
export type Tier = (typeof TIERS)[number];

/** The tier by step name; "default" for the steps not named. */
export type Tiers = Readonly<Record<string, Tier>>;

export function tierOf(step: string, tiers: Tiers | undefined): Tier {
  return tiers?.[step] ?? tiers?.default ?? 'standard';
}

/** How long a call by flex may take at least: providers advise fifteen minutes. */
const FLEX_TIMEOUT_SECONDS = 900;

/** Returns how long a call may take; longer at the flex tier. */
export function timeoutAt(tier: Tier, seconds: number): number {
  return tier === 'flex' ? Math.max(seconds, FLEX_TIMEOUT_SECONDS) : seconds;
}
