import { expect, it } from 'vitest';
import { sampleSeed } from '../../core/sampler.js';

/** Added up, seed 1 with sample 1 would be seed 2 with sample 0. */
it('gives neighbouring seeds no sample in common', () => {
  const seeds = Array.from({ length: 200 }, (_, seed) =>
    Array.from({ length: 20 }, (__, sample) => sampleSeed(seed, sample)),
  );
  expect(new Set(seeds.flat()).size).toBe(4_000);
  for (const seed of seeds.flat()) expect(seed >= 0 && seed < 2 ** 31).toBe(true);
});

it('leaves the first sample the seed itself, and gives the others the same ones again', () => {
  expect(sampleSeed(7, 0)).toBe(7);
  expect(sampleSeed(7, 3)).toBe(sampleSeed(7, 3));
});
