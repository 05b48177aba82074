/** Quantiles of a mean whose error was estimated from few draws: Student's distribution. Pure. */
import { chiSquareTail } from './chi-square.js';

/** Degrees of freedom from which the normal distribution is as good. */
const MANY = 2000;

/**
 * Returns the chance of a value further out than t, on both sides.
 *
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
 *
 * @param freedom Degrees of freedom, a whole number from 1 on. @default those of a normal value
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

/** Returns how many standard errors a mean is off by so seldom: 1.96 for 0.05. */
export function deviationOf(level: number, freedom?: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (twoSidedTail(middle, freedom) > level) low = middle;
    else high = middle;
  }
  return high;
}
