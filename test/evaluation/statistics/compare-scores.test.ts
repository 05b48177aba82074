/** Two runs on the same questions. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import { compareScores } from '../../../evaluation/statistics/compare-scores.js';
import { holm } from '../../../evaluation/statistics/holm.js';
import {
  differencesOf,
  pairedDifference,
} from '../../../evaluation/statistics/paired-difference.js';

const run = (scores: Record<string, number>) => new Map(Object.entries(scores));

/** Scores of so many questions, each right by chance. */
function drawn(seed: string, share: number, count = 300): Map<string, number> {
  const random = seededRandom(seed);
  return new Map(Array.from({ length: count }, (_, i) => [`q${i}`, random() < share ? 1 : 0]));
}

test('only the questions of both runs are compared, whatever their order', () => {
  const compared = compareScores(run({ a: 1, b: 0, c: 1, d: 1 }), run({ x: 1, c: 0, b: 0, a: 1 }));
  expect(compared).toMatchObject({
    questions: 3,
    leftOut: { first: 1, second: 1 },
    changed: 1,
    difference: { mean: 1 / 3 },
    rightOnly: { first: 1, second: 0 },
  });
  expect(() => compareScores(run({ a: 1 }), run({ b: 1 }))).toThrow(RangeError);
  expect(() => pairedDifference(differencesOf([1, 0], [1]))).toThrow(
    '2 scores cannot be paired with 1.',
  );
});

test('of graded scores none is right in one run only', () => {
  const compared = compareScores(run({ a: 0.5, b: 1 }), run({ a: 0.2, b: 1 }));
  expect(compared).toMatchObject({ changed: 1 });
  expect(compared).not.toHaveProperty('rightOnly');
});

test('a clear difference is found', () => {
  expect(compareScores(drawn('x', 0.7), drawn('y', 0.4)).difference.p).toBeLessThan(0.01);
});

// The exact test of McNemar finds 0.125, 0.031, 0.0078 and 0.035.
test.each([
  [4, 0, 0.095],
  [6, 0, 0.0287],
  [8, 0, 0.0085],
  [12, 3, 0.0245],
])('%i right in one run only and %i in the other: p is %d', (one, other, p) => {
  const rights = (count: number) => '1'.repeat(count).padEnd(100, '0').split('').map(Number);
  const { p: found } = pairedDifference(differencesOf(rights(one), rights(other).reverse()));
  expect(found).toBeCloseTo(p, 3);
});

test('all p are held against one level, that of the first that is not found', () => {
  const tests = [{ p: 0.04 }, { p: 0.03 }, { p: 0.001 }];
  const held = holm(tests, 0.05);
  expect(tests.map((one) => held.get(one))).toEqual([
    { corrected: 0.06, level: 0.025 },
    { corrected: 0.06, level: 0.025 },
    { corrected: 0.003, level: 0.025 },
  ]);
  expect(() => holm([{ p: 1.1 }], 0.05)).toThrow(RangeError);
});
