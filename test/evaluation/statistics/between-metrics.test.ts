/** Curves above thresholds and correlations: by hand, and what always holds. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { correlation, thresholdCurve } from '../../../evaluation/statistics/between-metrics.js';
import { meanInterval } from '../../../evaluation/statistics/score-interval.js';

const of = (values: readonly number[]) => new Map(values.map((value, i) => [`q${i}`, value]));

it('is the mean of those that reach each threshold', () => {
  const curve = thresholdCurve(of([0, 1, 1, 0, 1]), of([0.2, 0.2, 0.9, 0.5, 0.5]));
  expect(curve).toEqual([
    { threshold: 0.2, questions: 5, ...meanInterval([0, 1, 1, 0, 1]) },
    { threshold: 0.5, questions: 3, ...meanInterval([1, 0, 1]) },
    { threshold: 0.9, questions: 1, ...meanInterval([1]) },
  ]);
  // A question without one of the scores takes no part.
  expect(thresholdCurve(of([1]), new Map([['other', 1]]))).toEqual([]);
});

it('has fewer questions with each threshold', () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(scores, scores, (quality, kept) => {
      const sizes = thresholdCurve(of(quality), of(kept)).map(({ questions }) => questions);
      expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a));
    }),
  );
});

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
