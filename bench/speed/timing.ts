/** Times, and quantiles of several. */
import { quantile } from '../../evaluation/statistics/distributions.js';

/** Milliseconds that a piece of work takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** NaN of none. */
export const median = (values: readonly number[]) => quantileOf(values, 0.5);

/** NaN of none. */
export function quantileOf(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  return quantile(
    values.toSorted((a, b) => a - b),
    share,
  );
}
