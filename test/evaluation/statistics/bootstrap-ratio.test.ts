/** The interval of a ratio of sums. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bootstrapInterval } from '../../../evaluation/statistics/bootstrap.js';
import { bootstrapRatio, type Part } from '../../../evaluation/statistics/bootstrap-ratio.js';

const parts = fc.array(
  fc
    .record({
      whole: fc.integer({ min: 1, max: 9 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ whole, share }): Part => ({ whole, part: Math.floor(whole * share) })),
  { minLength: 1, maxLength: 40 },
);

test('the ratio is that of the sums, not the mean of the ratios', () => {
  const questions = [
    { part: 1, whole: 1 },
    { part: 0, whole: 3 },
  ];
  expect(bootstrapRatio(questions, { seed: 0 })).toEqual({ mean: 0.25, low: 0, high: 1 });
  expect(() => bootstrapRatio([], { seed: 0 })).toThrow(RangeError);
});

test('the order of the questions changes nothing, and the interval holds the ratio', () => {
  fc.assert(
    fc.property(parts, (questions) => {
      const ratio = bootstrapRatio(questions, { seed: 1 });
      expect(bootstrapRatio(questions.toReversed(), { seed: 1 })).toEqual(ratio);
      expect(ratio.low).toBeLessThanOrEqual(ratio.mean + 1e-12);
      expect(ratio.high).toBeGreaterThanOrEqual(ratio.mean - 1e-12);
    }),
  );
});

test('with one answer a question it is the mean', () => {
  const scores = [1, 0, 0, 1, 1, 0, 1, 1, 0, 1];
  const ratio = bootstrapRatio(
    scores.map((part) => ({ part, whole: 1 })),
    { seed: 3 },
  );
  expect(ratio.mean).toBe(bootstrapInterval(scores, { seed: 3 }).mean);
});
