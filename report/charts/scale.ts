/** Maps values to coordinates of a chart. Pure. */

/** A function that maps a value to a coordinate; `ticks` has the values to mark on the axis. */
export interface Scale {
  (value: number): number;
  /** Round values to mark, lowest first. */
  ticks: number[];
}

/** Distances between ticks, as multiples of a power of ten. */
const STEPS = [1, 2, 5, 10];

/**
 * Returns a linear scale that maps the range of the values to coordinates `from` to `to`. The range
 * is extended to the ticks around it.
 */
export function linearScale(values: readonly number[], from: number, to: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Ignores differences that come from rounding.
  const least = Math.max(1e-12, 1e-9 * Math.max(-low, high));
  const span = [high - low, Math.max(-low, high)].find((size) => size > least) ?? 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = power * (STEPS.find((s) => span / (s * power) <= 5) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * step));
  return Object.assign(linearMap(first * step, last * step, from, to), { ticks });
}

/**
 * Returns a logarithmic scale that maps the range of the values, slightly extended, to coordinates
 * `from` to `to`.
 *
 * @param values Values above 0.
 */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.log10(Math.min(...values)) - 0.1;
  const high = Math.log10(Math.max(...values)) + 0.1;
  const ticks: number[] = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const factor of [1, 2, 5]) {
      const tick = round(factor * 10 ** power);
      if (Math.log10(tick) >= low && Math.log10(tick) <= high) ticks.push(tick);
    }
  }
  const place = linearMap(low, high, from, to);
  const shown = ticks.length > 6 ? ticks.filter((tick) => /^0*\.?0*1/.test(String(tick))) : ticks;
  return Object.assign((value: number) => place(Math.log10(value)), { ticks: shown });
}

/**
 * Returns a linear function that maps `low` to `from` and `high` to `to`. Its results are rounded
 * to hundredths.
 */
export function linearMap(low: number, high: number, from: number, to: number) {
  return (value: number): number =>
    Math.round((from + ((value - low) / (high - low || 1)) * (to - from)) * 100) / 100;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
