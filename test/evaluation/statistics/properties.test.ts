/** What holds for any scores. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom, shuffled } from '../../../evaluation/random.js';
import { holm } from '../../../evaluation/statistics/holm.js';
import { mcnemar } from '../../../evaluation/statistics/mcnemar.js';
import { pairedPermutation } from '../../../evaluation/statistics/paired-permutation.js';

const score = fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
const pairs = fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 60 });
const seed = fc.nat();
const DRAWS = 200;
const close = (x: number, y: number) => Math.abs(x - y) < 1e-9;

test('exchanging two runs changes the signs and nothing else', () => {
  fc.assert(
    fc.property(pairs, seed, (both, seed) => {
      const options = { seed, draws: DRAWS };
      const first = both.map(([one]) => one);
      const second = both.map(([, other]) => other);
      const there = pairedPermutation(first, second, options);
      const back = pairedPermutation(second, first, options);
      return (
        back.p === there.p &&
        close(back.mean, -there.mean) &&
        close(back.low, -there.high) &&
        close(back.high, -there.low)
      );
    }),
  );
});

test('p is a probability, 1 for equal runs, and does not depend on the order', () => {
  fc.assert(
    fc.property(pairs, seed, (both, seed) => {
      const options = { seed, draws: DRAWS };
      const of = (list: typeof both) =>
        pairedPermutation(
          list.map(([one]) => one),
          list.map(([, other]) => other),
          options,
        );
      const { p } = of(both);
      expect(of(shuffled(both, seededRandom(seed))).p).toBe(p);
      expect(of(both.map(([one]) => [one, one] as [number, number])).p).toBe(1);
      return p > 0 && p <= 1;
    }),
  );
});

test('McNemar: p is a probability, symmetric, and falls as the runs come apart', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3000 }), fc.nat({ max: 3000 }), (b, c) => {
      const { p } = mcnemar(b, c);
      const further = mcnemar(Math.max(b, c) + 1, Math.min(b, c));
      return (
        p >= 0 &&
        p <= 1 &&
        mcnemar(c, b).p === p &&
        // The two tests do not join smoothly where one takes over from the other.
        (further.p <= p || b + c === 24)
      );
    }),
  );
});

test('Holm: never below p, never above 1, in the order of p, and stricter than nothing', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(p, { maxLength: 20 }), (values) => {
      const corrected = holm(values);
      const ranked = values
        .map((value, i) => [value, corrected[i] ?? NaN] as const)
        .sort(([one], [other]) => one - other);
      return (
        ranked.every(([value, held]) => held >= value && held <= 1) &&
        ranked.every(([, held], i) => held >= (ranked[i - 1]?.[1] ?? 0))
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
