/** The interval of a running mean, against values worked out from Wilson's formula. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from '../../../evaluation/statistics/wilson.js';

test.each([
  // n = 10, p = 0.5: (0.5 + 0.19208) / 1.38416 = 0.5, half 1.96 / 1.38416 * sqrt(0.025 + 0.009604)
  [5, 10, 0.2366, 0.7634],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [132, 400, 0.2858, 0.3775],
])('of %d in %d', (sum, count, low, high) => {
  const interval = wilsonInterval(sum, count);
  expect(interval.mean).toBe(sum / count);
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

test('holds the mean and stays between 0 and 1', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, p) => {
        const { mean, low, high } = wilsonInterval(p * n, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(mean + 1e-12);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-12);
      },
    ),
  );
});

test('needs a score', () => {
  expect(() => wilsonInterval(0, 0)).toThrow(RangeError);
});
