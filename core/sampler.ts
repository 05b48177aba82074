/**
 * Random choices that are deterministic for a seed. Not for workflows, since it uses node:crypto.
 */
import { createHash } from 'node:crypto';

/**
 * Returns a function that draws `wanted` of `total` items. It must be called once per item, in
 * order, and returns whether the item is drawn. Exactly `wanted` items are drawn, or all if there
 * are fewer; all selections are equally likely (selection sampling: Knuth, TAOCP 2, 3.4.2,
 * algorithm S).
 *
 * @param seed The same seed draws the same items; different purposes need different ones.
 */
export function sampler(seed: string, wanted: number, total: number): () => boolean {
  let seen = 0;
  let taken = 0;
  return () => {
    const take = (total - seen) * uniform(seed, seen) < wanted - taken;
    seen++;
    if (take) taken++;
    return take;
  };
}

/**
 * Returns the seed of one of several samples of a call: for the first the given seed, for others a
 * hash of seed and number below 2^31, so that runs with neighbouring seeds send different requests.
 *
 * @param sample Number of the sample, from 0.
 */
export function sampleSeed(seed: number, sample: number): number {
  if (sample === 0) return seed;
  const digest = createHash('sha256').update(`sample:${seed}:${sample}`).digest();
  return digest.readUInt32BE(0) >>> 1;
}

/** Returns a number from 0 to just under 1. */
function uniform(seed: string, position: number): number {
  const digest = createHash('sha256').update(`${seed}:${position}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/**
 * Returns a function that returns the next pseudorandom number at each call, from 0 (included) to 1
 * (excluded). The same seed gives the same numbers. Pure.
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
