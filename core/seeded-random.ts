/** Random numbers from a seed: fast, the same on every machine, not for secrets. */

/**
 * A source of numbers from 0 to just under 1. The same seed gives the same numbers.
 *
 * Source: Chris Doty-Humphrey's sfc32 (PractRand, public domain), seeded by FNV-1a hashes.
 */
export function seededRandom(seed: string | number): () => number {
  const text = String(seed);
  let [a, b, c, counter] = [hash(text, 1), hash(text, 2), hash(text, 3), 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 15; i++) next();
  return next;
}

function hash(text: string, basis: number): number {
  let state = 0x811c9dc5 ^ Math.imul(basis, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  }
  return state;
}
