/** What holds for any scores. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import { holm } from '../../../evaluation/statistics/holm.js';
import {
  differenceInterval,
  differencesOf,
  pairedDifference,
} from '../../../evaluation/statistics/paired-difference.js';
import { shuffled } from '../../support/random.js';

const score = fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
const pairs = fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 60 });
const seed = fc.nat();
const close = (x: number, y: number) => Math.abs(x - y) < 1e-9;

const columns = (both: readonly (readonly [number, number])[]): [number[], number[]] => [
  both.map(([one]) => one),
  both.map(([, other]) => other),
];

test('exchanging two runs changes the signs and nothing else', () => {
  fc.assert(
    fc.property(pairs, (both) => {
      const [first, second] = columns(both);
      const there = pairedDifference(differencesOf(first, second));
      const back = pairedDifference(differencesOf(second, first));
      const [one, other] = [there, back].map((found) => differenceInterval(found, 0.05));
      return (
        close(back.p, there.p) &&
        close(back.mean, -there.mean) &&
        close(other?.low ?? NaN, -(one?.high ?? NaN)) &&
        close(other?.high ?? NaN, -(one?.low ?? NaN))
      );
    }),
  );
});

test('p is a probability, 1 for equal runs, and does not depend on the order', () => {
  fc.assert(
    fc.property(pairs, seed, (both, seed) => {
      const { p } = pairedDifference(differencesOf(...columns(both)));
      expect(
        pairedDifference(differencesOf(...columns(shuffled(both, seededRandom(seed))))).p,
      ).toBe(p);
      expect(pairedDifference(differencesOf(...columns(both.map(([one]) => [one, one])))).p).toBe(
        1,
      );
      return p >= 0 && p <= 1;
    }),
  );
});

test('an interval excludes 0 where p is below its level, and nowhere else', () => {
  const level = fc.double({ min: 1e-6, max: 0.2, noNaN: true });
  fc.assert(
    fc.property(pairs, level, (both, level) => {
      const difference = pairedDifference(differencesOf(...columns(both)));
      const { low, high } = differenceInterval(difference, level);
      return difference.p < level === (low > 0 || high < 0);
    }),
    { numRuns: 1000 },
  );
});

test('Holm: never below p, never above 1, in the order of p, and p below its level where found', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  const small = fc.double({ min: 0, max: 0.1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.oneof(p, small), { maxLength: 20 }), (values) => {
      const tests = values.map((value) => ({ p: value }));
      const ranked = [...holm(tests, 0.05)]
        .map(([one, held]) => ({ ...one, ...held }))
        .sort((one, other) => one.p - other.p);
      return (
        ranked.every(({ p, corrected }) => corrected >= p && corrected <= 1) &&
        ranked.every(({ corrected }, i) => corrected >= (ranked[i - 1]?.corrected ?? 0)) &&
        ranked.every(({ p, corrected, level }) => corrected < 0.05 === p < level)
      );
    }),
  );
});

test('random numbers are even and the same again', () => {
  const random = seededRandom('x');
  const counts = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 100_000; i++) {
    const box = Math.floor(random() * 10);
    counts[box] = (counts[box] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(450);
  const [first, second] = [seededRandom(7), seededRandom('7')];
  expect([first(), first()]).toEqual([second(), second()]);
  expect(seededRandom(8)()).not.toBe(seededRandom(7)());
});
