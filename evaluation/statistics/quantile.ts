/** Mean and quantiles of numbers. */

/** @throws RangeError when there is no number. */
export function mean(values: readonly number[] | Float64Array): number {
  if (values.length === 0) throw new RangeError('There is no mean of no values.');
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The q-quantile of numbers in ascending order, between two of them in proportion (R's type 7). */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) throw new RangeError('There is no quantile of no values.');
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
