/** Time spans, and the time during which any of several lasted. Pure. */

/** A time span: start and duration in milliseconds, by the clock of the machine that measured it. */
export interface Span {
  /** Start, in milliseconds since 1970. */
  from: number;
  /** Duration, in milliseconds. */
  ms: number;
}

/** Returns the milliseconds during which at least one span lasted; overlaps count once. */
export function unionMs(spans: readonly Span[]): number {
  let [union, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, ms } of [...spans].sort((a, b) => a.from - b.from)) {
    const end = from + ms;
    union += Math.max(0, end - Math.max(from, until));
    until = Math.max(until, end);
  }
  return union;
}
