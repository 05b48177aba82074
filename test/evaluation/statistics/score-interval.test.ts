/** The interval of a mean of scores, against values worked out from Wilson's formula. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RatioPart } from '../../../core/metric.js';
import {
  meanInterval,
  ratioInterval,
  scoreInterval,
} from '../../../evaluation/statistics/score-interval.js';

test.each([
  // n = 10, p = 0.5: (0.5 + 0.19208) / 1.38416 = 0.5, half 1.96 / 1.38416 * sqrt(0.025 + 0.009604)
  [5, 10, 0.2366, 0.7634],
  [0, 10, 0, 0.2775],
  [0, 6, 0, 0.3903],
  [10, 10, 0.7225, 1],
  [132, 400, 0.2858, 0.3775],
])('of %d right in %d', (sum, questions, low, high) => {
  const interval = scoreInterval({ questions, sum, sumOfSquares: sum });
  expect(interval.mean).toBe(sum / questions);
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

const graded = fc.array(
  fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true })),
  {
    minLength: 1,
    maxLength: 200,
  },
);

test('holds the mean, stays between 0 and 1, and is never without width', () => {
  fc.assert(
    fc.property(graded, (scores) => {
      const { mean, low, high } = meanInterval(scores);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(mean);
      expect(high).toBeGreaterThanOrEqual(mean);
      expect(high - low).toBeGreaterThan(0);
    }),
  );
});

test('what is graded is surer than right and wrong of the same mean', () => {
  const even = meanInterval(Array.from({ length: 50 }, (_, i) => 0.4 + (i % 2) / 5));
  const apart = meanInterval(Array.from({ length: 50 }, (_, i) => i % 2));
  expect(even.mean).toBeCloseTo(apart.mean, 12);
  expect(even.high - even.low).toBeLessThan((apart.high - apart.low) / 2);
});

const parts = fc.array(
  fc
    .record({
      whole: fc.integer({ min: 1, max: 9 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ whole, share }): RatioPart => ({ whole, part: Math.floor(whole * share) })),
  { minLength: 1, maxLength: 40 },
);

test('a ratio is that of the sums, whatever the order, and its interval holds it', () => {
  const few = ratioInterval([
    { part: 1, whole: 1 },
    { part: 0, whole: 3 },
  ]);
  expect(few.mean).toBe(0.25);
  fc.assert(
    fc.property(parts, (questions) => {
      const ratio = ratioInterval(questions);
      expect(ratioInterval(questions.toReversed())).toEqual(ratio);
      expect(ratio.low).toBeLessThanOrEqual(ratio.mean);
      expect(ratio.high).toBeGreaterThanOrEqual(ratio.mean);
    }),
  );
});

test('a ratio of wholes of one size is the mean: a question with three answers is one draw', () => {
  const scores = [1, 0, 0, 1, 1, 0, 1, 1, 0, 1];
  const ratio = ratioInterval(scores.map((score) => ({ part: 3 * score, whole: 3 })));
  const { low, high } = meanInterval(scores);
  expect(ratio.low).toBeCloseTo(low, 9);
  expect(ratio.high).toBeCloseTo(high, 9);
});

test('needs a score', () => {
  expect(() => scoreInterval({ questions: 0, sum: 0, sumOfSquares: 0 })).toThrow(RangeError);
  expect(() => ratioInterval([])).toThrow(RangeError);
});
