/** Time spans and the length of their union. Pure. */

/**
 * A time span: its start, in milliseconds since 1970 by the clock of the machine that measured it,
 * and its duration, in milliseconds.
 */
export interface Span {
  /** Start, in milliseconds since 1970. */
  from: number;
  /** Duration, in milliseconds. */
  ms: number;
}

/** A span as a tuple, as histories record it: start since 1970 and duration, in milliseconds. */
export type SpanTuple = readonly [from: number, ms: number];

/** Returns the span (`from`, `ms`) of a tuple. */
export function spanOfTuple([from, ms]: SpanTuple): Span {
  return { from, ms };
}

/**
 * Returns the time covered by at least one span, in milliseconds; overlaps count once.
 *
 * @param spans Start and duration of each, in milliseconds.
 */
export function unionMs(spans: readonly Span[]): number {
  let [union, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, ms } of [...spans].sort((a, b) => a.from - b.from)) {
    const end = from + ms;
    union += Math.max(0, end - Math.max(from, until));
    until = Math.max(until, end);
  }
  return union;
}
