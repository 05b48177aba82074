/** The chi-square, normal and Student distributions, and quantiles of samples. Pure. */

/** Degrees of freedom above which the normal distribution is used. */
const MANY = 2000;

/**
 * Returns the two-sided p-value of a statistic `t`: the probability of a value at least as far from
 * 0 under Student's distribution.
 *
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
 *
 * @param freedom Degrees of freedom, a whole number from 1. @default Infinity, the normal
 * distribution
 */
export function twoSidedTail(t: number, freedom = Infinity): number {
  if (freedom > MANY) return chiSquareTail(t ** 2);
  const angle = Math.atan(Math.abs(t) / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < freedom; k += 2) {
    term *= ((k - 1) / k) * cosine ** 2;
    sum += term;
  }
  const inside = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return Math.max(0, 1 - inside);
}

/**
 * Returns the two-sided critical value for a significance level, in standard errors: 1.96
 * for 0.05 in the normal distribution.
 *
 * @param freedom Degrees of freedom of Student's distribution. @default Infinity, the normal
 * distribution
 */
export function criticalValue(level: number, freedom?: number): number {
  let [low, high] = [0, 4];
  while (twoSidedTail(high, freedom) > level) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (twoSidedTail(middle, freedom) > level) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the probability that a chi-square variable with one degree of freedom is at least `x`, to
 * about 14 digits.
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

/**
 * Returns the q-quantile (q from 0 to 1) of numbers in ascending order, interpolated linearly (R's
 * type 7).
 *
 * @throws RangeError if there are no numbers.
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) throw new RangeError('There is no quantile of no values.');
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
