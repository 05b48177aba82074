/** Two runs on the same questions. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../evaluation/random.js';
import {
  compareRuns,
  correctTogether,
  nullControl,
} from '../../../evaluation/statistics/compare-runs.js';
import { mcnemar, mcnemarOf } from '../../../evaluation/statistics/mcnemar.js';

const run = (scores: Record<string, number>) => new Map(Object.entries(scores));
const options = { seed: 1 };

/** Scores of so many questions, each right by chance. */
function drawn(seed: string, share: number, count = 300): Map<string, number> {
  const random = seededRandom(seed);
  return new Map(Array.from({ length: count }, (_, i) => [`q${i}`, random() < share ? 1 : 0]));
}

test('only the questions of both runs are compared, whatever their order', () => {
  const compared = compareRuns(
    run({ a: 1, b: 0, c: 1, d: 1 }),
    run({ x: 1, c: 0, b: 0, a: 1 }),
    options,
  );
  expect(compared).toMatchObject({
    questions: 3,
    leftOut: { first: 1, second: 1 },
    changed: 1,
    difference: { mean: 1 / 3 },
    mcnemar: { onlyFirst: 1, onlySecond: 0, p: 1, test: 'exact' },
  });
  expect(() => compareRuns(run({ a: 1 }), run({ b: 1 }), options)).toThrow(RangeError);
});

test('scores between 0 and 1 have no McNemar', () => {
  const compared = compareRuns(run({ a: 0.5, b: 1 }), run({ a: 0.2, b: 1 }), options);
  expect(compared).not.toHaveProperty('mcnemar');
});

test('a clear difference is found and correction keeps the order', () => {
  const better = compareRuns(drawn('x', 0.7), drawn('y', 0.4), options);
  const alike = compareRuns(drawn('x', 0.5), drawn('y', 0.5), options);
  expect(better.difference.p).toBeLessThan(0.01);
  const [first, second] = correctTogether([alike, better]);
  expect(second?.corrected).toBeCloseTo(2 * (second?.p ?? 0));
  expect(first?.corrected).toBe(first?.p);
  expect(second?.p).toBe(better.mcnemar?.p);
});

test('the null control: no difference passes with its churn, a real one does not', () => {
  const once = drawn('x', 0.5);
  expect(nullControl(once, new Map(once), options)).toMatchObject({ churn: 0, passed: true });
  const again = nullControl(once, drawn('y', 0.5), options);
  expect(again.churn).toBeGreaterThan(0.3);
  expect(again.passed).toBe(true);
  expect(nullControl(drawn('x', 0.8), drawn('y', 0.4), options).passed).toBe(false);
});

test('runs that differ evenly have an even interval', () => {
  const { difference } = compareRuns(run({ a: 0, b: 1, c: 1 }), run({ a: 1, b: 0, c: 1 }), options);
  expect(difference).toMatchObject({ mean: 0, p: 1 });
  expect(difference.low).toBeCloseTo(-difference.high, 12);
});

test('McNemar refuses what are no counts', () => {
  expect(() => mcnemar(-1, 2)).toThrow(RangeError);
  expect(() => mcnemar(1.5, 2)).toThrow(RangeError);
  expect(() => mcnemarOf([1], [])).toThrow(RangeError);
  expect(mcnemar(0, 0).p).toBe(1);
  expect(mcnemar(30, 30).p).toBe(1);
});
