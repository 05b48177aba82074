/**
 * The chance of a value of at least `x`, to about 14 digits.
 *
 * Source: P(X >= x) = erfc(sqrt(x / 2)); Abramowitz and Stegun 7.1.6 (series) below 3, and the
 * continued fraction 7.1.14 above.
 */
export function chiSquareTail(x: number): number {
  if (x <= 0) return 1;
  const z = Math.sqrt(x / 2);
  const density = Math.exp(-x / 2) / Math.sqrt(Math.PI);
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let n = 1; term > sum * 1e-17; n++) {
      term *= (2 * z * z) / (2 * n + 1);
      sum += term;
    }
    return Math.max(0, 1 - 2 * density * sum);
  }
  let fraction = z;
  for (let n = 60; n >= 1; n--) fraction = z + n / 2 / fraction;
  return density / fraction;
}
