/** How much a provider was asked for in any stretch of time. Pure. */

/** Something that counts against a limit, and when. */
export interface Charge {
  /** Milliseconds since the epoch. */
  at: number;
  amount: number;
}

/** The most that was charged in any `windowMs`, 0 without charges. */
export function mostIn(charges: readonly Charge[], windowMs: number): number {
  const from = (start: number) =>
    charges
      .filter(({ at }) => at >= start && at < start + windowMs)
      .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, ...charges.map(({ at }) => from(at)));
}
