/** Evidence from paired yes/no outcomes that may be looked at as often as wanted. */

/**
 * The natural logarithm of E, the evidence against "neither is better": of the questions that only
 * one of the two gets right, as many fall to either side. While that is true E exceeds 1 / alpha at
 * any time with a chance of at most alpha, so that a test may look after every question and stop
 * there; 1 / E, at its least so far, is a p-value.
 *
 * Source: E = 2^(b + c) B(a + b, a + c) / B(a, a), the Bayes factor of a symmetric Beta(a, a) prior
 * on the share of one side; Robbins, Annals of Mathematical Statistics 41 (1970).
 *
 * @param b Questions that only the first has right.
 * @param c Questions that only the second has right.
 * @param a Of the prior; the smaller, the more it expects one side to win clearly.
 * @example Math.exp(logEvidence(8, 0)) // 50.27
 */
export function logEvidence(b: number, c: number, a = 0.5): number {
  let log = 0;
  for (let i = 0; i < b; i++) log += logGain(i, 0, a);
  for (let i = 0; i < c; i++) log += logGain(i, b, a);
  return log;
}

/** What a question more adds to the logarithm of E, by what its winner and the other had before. */
export function logGain(winner: number, other: number, a = 0.5): number {
  return Math.log((2 * (a + winner)) / (2 * a + winner + other));
}
