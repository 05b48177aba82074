import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clustersOf, samplesOf } from '../../activities/genread-clusters.js';

const sampleClusters = (labels: readonly number[], pairs: number, seed: number) => {
  const clusters = clustersOf(labels);
  const samples = samplesOf(clusters, { drawnFrom: 'clusters', pairs, seed });
  return clusters.map(({ length: size }, k) => ({ size, members: samples[k] ?? [] }));
};

it('puts the largest cluster first, and of equals the one that begins earlier', () => {
  const sampled = sampleClusters([2, 0, 0, 2, 1, 0], 5, 0);
  expect(sampled).toEqual([
    { size: 3, members: [1, 2, 5] },
    { size: 2, members: [0, 3] },
    { size: 1, members: [4] },
  ]);
});

it('samples the same members for the same seed, and others for another', () => {
  const labels = Array.from({ length: 200 }, (_, i) => i % 2);
  const members = (seed: number) => sampleClusters(labels, 5, seed).map((one) => one.members);
  expect(members(7)).toEqual(members(7));
  expect(members(7)).not.toEqual(members(8));
});

it('samples as many as there are to sample, each once, of its own cluster', () => {
  const labels = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 });
  fc.assert(
    fc.property(labels, fc.integer({ min: 1, max: 8 }), fc.nat(), (of, count, seed) => {
      const clusters = sampleClusters(of, count, seed);
      expect(clusters).toHaveLength(new Set(of).size);
      expect(clusters.reduce((sum, { size }) => sum + size, 0)).toBe(of.length);
      for (const { size, members } of clusters) {
        expect(members).toHaveLength(Math.min(size, count));
        expect(new Set(members).size).toBe(members.length);
        expect(new Set(members.map((position) => of[position])).size).toBe(1);
      }
    }),
  );
});

it('draws each set from all pairs, the same for the same seed, without an embedding', () => {
  const all = Array.from({ length: 10 }, () => [...Array(100).keys()]);
  const sampled = (seed: number) => samplesOf(all, { drawnFrom: 'allPairs', pairs: 5, seed });
  const drawn = sampled(3);
  expect(drawn).toEqual(sampled(3));
  expect(drawn).not.toEqual(sampled(4));
  expect(drawn.map((members) => new Set(members).size)).toEqual(Array(10).fill(5));
  // Every pair can be in a set: 50 of 100 drawn are far from the first ones alone.
  expect(new Set(drawn.flat()).size).toBeGreaterThan(30);
});
