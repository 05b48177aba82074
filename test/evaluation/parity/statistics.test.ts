/** The tests of significance agree with statsmodels and SciPy. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { chiSquareTail } from '../../../evaluation/statistics/distributions.js';
import { holm } from '../../../evaluation/statistics/holm.js';
import {
  differencesOf,
  pairedDifference,
} from '../../../evaluation/statistics/paired-difference.js';
import { meanInterval } from '../../../evaluation/statistics/score-interval.js';
import { differences, fixture } from './fixtures.js';

function correctedBy(pValues: readonly number[]): number[] {
  const tests = pValues.map((p) => ({ p }));
  const held = holm(tests, 0.05);
  return tests.map((one) => held.get(one)?.corrected ?? Number.NaN);
}

const number = z.number();
const row = z.union([
  z.object({ mcnemar: z.tuple([number, number, number]) }),
  z.object({ holm: z.tuple([z.array(number), z.array(number)]) }),
  z.object({ tail: z.tuple([number, number]) }),
  z.object({ interval: z.tuple([z.array(number), number, number]) }),
]);

/** Of 200 questions, or as many more as differ. */
function pOfCounts(onlyFirst: number, onlySecond: number): number {
  const ids = [...Array(Math.max(200, onlyFirst + onlySecond)).keys()];
  const first = ids.map((id) => Number(id < onlyFirst));
  const second = ids.map((id) => Number(id >= onlyFirst && id < onlyFirst + onlySecond));
  return pairedDifference(differencesOf(first, second)).p;
}

test('McNemar, Holm, the chi-square tail and bootstrap intervals', async () => {
  const rows = await fixture('statistics', row);
  const wrong = rows.flatMap((expected) => {
    if ('mcnemar' in expected) {
      const [first, second, p] = expected.mcnemar;
      const made = pOfCounts(first, second);
      // The test is not McNemar's own, but at each level it finds the same except close to it.
      const apart = [0.05, 0.01, 0.001].filter(
        (level) => (made < level && p > 2 * level) || (p < level / 3 && made > level),
      );
      return apart.map((level) => `${first} and ${second} at ${level}: ${made} for ${p}`);
    }
    if ('holm' in expected) {
      const [pValues, corrected] = expected.holm;
      return differences(expected, correctedBy(pValues), corrected, 1e-12);
    }
    if ('tail' in expected) {
      const [x, p] = expected.tail;
      return differences(expected, [chiSquareTail(x) / p], [1], 1e-9);
    }
    const [values, low, high] = expected.interval;
    // Two ways to the same end: at most two questions apart, but where resamples of answers that are
    // all alike are alike as well. How much an interval covers is simulated in calibration.test.ts.
    if (low === high) return [];
    const made = meanInterval(values);
    return differences(expected, [made.low, made.high], [low, high], 2 / values.length);
  });
  expect(wrong).toEqual([]);
});

/** McNemar's exact p and its mid-p, of so many questions that only one of two has right. */
function mcnemar(more: number, fewer: number): { exact: number; mid: number } {
  const all = more + fewer;
  let chance = 0.5 ** all;
  let sum = chance;
  for (let i = 1; i <= fewer; i++) {
    chance *= (all - i + 1) / i;
    sum += chance;
  }
  return { exact: Math.min(1, 2 * sum), mid: Math.min(1, 2 * sum - chance) };
}

test("at 5 % the test stands between McNemar's exact test and its mid-p", () => {
  const found = { tables: 0, exactOnly: 0, midOnly: 0, beyondMid: 0 };
  for (const questions of [100, 300, 1000]) {
    for (let more = 1; more <= 60; more++) {
      for (let fewer = 0; fewer < more; fewer++) {
        if (more + fewer > questions) continue;
        const scores = (from: number, to: number) =>
          Array.from({ length: questions }, (_, i) => Number(i >= from && i < to));
        const { p } = pairedDifference(differencesOf(scores(0, more), scores(more, more + fewer)));
        const { exact, mid } = mcnemar(more, fewer);
        found.tables++;
        if (exact < 0.05 && p >= 0.05) found.exactOnly++;
        if (mid < 0.05 && p >= 0.05) found.midOnly++;
        if (mid >= 0.05 && p < 0.05) found.beyondMid++;
      }
    }
  }
  expect(found).toEqual({ tables: 5390, exactOnly: 0, midOnly: 20, beyondMid: 2 });
});
