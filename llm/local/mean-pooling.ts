/**
 * Returns the mean of vectors that lie one behind the other, scaled to length 1.
 *
 * @param dimensions The length of each of them.
 */
export function normalizedMean(vectors: Float32Array, dimensions: number): number[] {
  // The sum has the same direction as the mean.
  const sum = new Array<number>(dimensions).fill(0);
  vectors.forEach((value, k) => {
    const dimension = k % dimensions;
    sum[dimension] = (sum[dimension] ?? 0) + value;
  });
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}
