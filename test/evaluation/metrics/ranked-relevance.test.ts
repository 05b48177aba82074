/** Measures of rankings: by hand, by their definitions written out, and what always holds. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import {
  averagePrecision,
  ndcg,
  reciprocalRank,
  relevantRecall,
} from '../../../evaluation/metrics/retrieval-scores.js';
import { shuffled } from '../../support/random.js';

const log2 = Math.log2;

it.each([
  // grades by rank, grades of all relevant ones, MRR@10, AP, NDCG@10, recall@10
  [[1], [1], 1, 1, 1, 1],
  [[0, 1], [1], 1 / 2, 1 / 2, 1 / log2(3), 1],
  [[0, 0, 0], [1], 0, 0, 0, 0],
  [[], [1, 1], 0, 0, 0, 0],
  // Two of three relevant ones, at ranks 1 and 3.
  [[1, 0, 1], [1, 1, 1], 1, (1 + 2 / 3) / 3, (1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2), 2 / 3],
  // Grades: the better one is at the lower rank.
  [[1, 2], [2, 1], 1, 1, (1 + 2 / log2(3)) / (2 + 1 / log2(3)), 1],
  // What stands at rank 11 counts for average precision alone.
  [[...Array(10).fill(0), 1], [1], 0, 1 / 11, 0, 0],
])('%j of %j', (grades, all, mrr, map, gain, recall) => {
  expect(reciprocalRank(grades, 10)).toBeCloseTo(mrr, 12);
  expect(averagePrecision(grades, all.length)).toBeCloseTo(map, 12);
  expect(ndcg(grades, all, 10)).toBeCloseTo(gain, 12);
  expect(relevantRecall(grades, all.length, 10)).toBeCloseTo(recall, 12);
});

/** A ranking of relevant ones, some of which were not found, and others. */
const ranking = fc
  .record({
    all: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 }),
    found: fc.nat(8),
    others: fc.nat(30),
    seed: fc.string(),
  })
  .map(({ all, found, others, seed }) => {
    const grades = [...all.slice(0, found), ...Array<number>(others).fill(0)];
    return { all, grades: shuffled(grades, seededRandom(seed)) };
  });

it('is from 0 to 1, and 1 for the best order of all of them', () => {
  fc.assert(
    fc.property(ranking, fc.integer({ min: 1, max: 40 }), ({ all, grades }, k) => {
      const relevant = all.length;
      const best = all.toSorted((a, b) => b - a);
      for (const measure of [
        (ranked: number[]) => ndcg(ranked, all, k),
        (ranked: number[]) => averagePrecision(ranked, relevant),
        (ranked: number[]) => reciprocalRank(ranked, k),
      ]) {
        expect(measure(grades)).toBeGreaterThanOrEqual(0);
        expect(measure(grades)).toBeLessThanOrEqual(1 + 1e-12);
        expect(measure(best)).toBeCloseTo(1, 12);
      }
      expect(relevantRecall(best, relevant)).toBe(1);
    }),
  );
});

it('never falls if a relevant one changes places with a less relevant one before it', () => {
  fc.assert(
    fc.property(ranking, fc.nat(40), fc.nat(40), ({ all, grades }, one, other) => {
      const [before, after] = [Math.min(one, other), Math.max(one, other)];
      const [first, second] = [grades[before], grades[after]];
      fc.pre(first !== undefined && second !== undefined && second > first);
      const better = grades.with(before, second ?? 0).with(after, first ?? 0);
      for (const measure of [
        (ranked: number[]) => ndcg(ranked, all, 10),
        (ranked: number[]) => averagePrecision(ranked, all.length),
        (ranked: number[]) => reciprocalRank(ranked, 10),
        (ranked: number[]) => relevantRecall(ranked, all.length, 5),
      ]) {
        expect(measure(better)).toBeGreaterThanOrEqual(measure(grades) - 1e-12);
      }
    }),
  );
});

it('is the mean of precisions at the relevant ranks, as the definition has it', () => {
  fc.assert(
    fc.property(ranking, ({ all, grades }) => {
      const ranks = grades.flatMap((grade, i) => (grade > 0 ? [i + 1] : []));
      const precisions = ranks.map((rank) => ranks.filter((one) => one <= rank).length / rank);
      const sum = precisions.reduce((so, one) => so + one, 0);
      expect(averagePrecision(grades, all.length)).toBeCloseTo(sum / all.length, 12);
    }),
  );
});
