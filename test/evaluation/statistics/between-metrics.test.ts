/** Correlations, by hand. */
import { expect, it } from 'vitest';
import { correlation } from '../../../evaluation/statistics/between-metrics.js';

const of = (values: readonly number[]) => new Map(values.map((value, i) => [`q${i}`, value]));

it.each([
  [[1, 2, 3], [2, 4, 6], 1],
  [[1, 2, 3], [3, 2, 1], -1],
  // By hand: products 0.5, squares 2 and 0.5.
  [[0, 1, 2], [0, 1, 0.5], 0.5],
  [[0, 0, 1, 1], [0, 1, 0, 1], 0],
])('the correlation of %j and %j is %d', (one, other, r) => {
  expect(correlation(of(one), of(other))?.r).toBeCloseTo(r, 12);
});

it('has Fisher’s interval, and none of fewer than four questions', () => {
  const found = correlation(of([0, 0, 1, 1, 1, 0, 1]), of([0, 1, 1, 1, 0, 0, 1]));
  const { r = 0, low = 0, high = 0 } = found ?? {};
  expect(Math.atanh(high) - Math.atanh(r)).toBeCloseTo(1.96 / 2, 10);
  expect(Math.atanh(r) - Math.atanh(low)).toBeCloseTo(1.96 / 2, 10);
  expect(correlation(of([0, 1, 0]), of([0, 1, 1]))).not.toHaveProperty('low');
  expect(correlation(of([1, 1, 1]), of([0, 1, 0]))).toBeUndefined();
  expect(correlation(of([1]), of([1]))).toBeUndefined();
});
