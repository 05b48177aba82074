/** How much a provider was asked for in any stretch of time. Pure. */

/** Something that counts against a limit, and when. */
export interface Charge {
  /** Milliseconds since the epoch. */
  at: number;
  amount: number;
}

/** The most that was charged in any `windowMs`, 0 without charges. */
export function mostIn(charges: readonly Charge[], windowMs: number): number {
  const inOrder = [...charges].sort((a, b) => a.at - b.at);
  let [first, sum, most] = [0, 0, 0];
  for (const { at, amount } of inOrder) {
    sum += amount;
    for (; at - (inOrder[first]?.at ?? at) >= windowMs; first++) sum -= inOrder[first]?.amount ?? 0;
    most = Math.max(most, sum);
  }
  return most;
}
