/** Random choices and seeds, deterministic for a seed. Not for workflows, since it hashes. */
import { createHash } from 'node:crypto';

/**
 * Returns a function that decides for each of `total` items, in order, whether it is taken. Exactly
 * `wanted` are, and all choices are equally likely (selection sampling: Knuth, TAOCP 2, 3.4.2,
 * algorithm S).
 *
 * @param seed Text; different purposes need different ones.
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
 * Returns the seed of a step's sample. The first has the seed itself; the others have hashed seeds,
 * so that runs with neighbouring seeds share no request.
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
