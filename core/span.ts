/** When something ran, and how long several of them ran together. Pure. */

/** A stretch of time on the clock of the machine that measured it. */
export interface Span {
  /** Its begin, milliseconds since 1970. */
  from: number;
  /** How long it lasted, in milliseconds. */
  ms: number;
}

/** Returns for how many milliseconds at least one of the spans lasted: where several overlap, once. */
export function unionMs(spans: readonly Span[]): number {
  let [union, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, ms } of [...spans].sort((a, b) => a.from - b.from)) {
    const end = from + ms;
    union += Math.max(0, end - Math.max(from, until));
    until = Math.max(until, end);
  }
  return union;
}
