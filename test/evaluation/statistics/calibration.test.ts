/** What intervals and tests promise, by simulation: 95 % covered, no more than 5 % found in nothing. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import {
  differenceInterval,
  differencesOf,
  pairedDifference,
} from '../../../evaluation/statistics/paired-difference.js';
import {
  meanInterval,
  ratioInterval,
  scoreInterval,
} from '../../../evaluation/statistics/score-interval.js';

type Random = () => number;

/** The share of so many simulations in which something holds. */
function share(times: number, seed: string, holds: (random: Random) => boolean): number {
  const random = seededRandom(seed);
  let found = 0;
  for (let i = 0; i < times; i++) if (holds(random)) found++;
  return found / times;
}

const drawn = (count: number, draw: () => number) => Array.from({ length: count }, draw);

const SIZES = [20, 40, 200];
const PROPORTIONS = [0.02, 0.5, 0.98];

test.each(SIZES.flatMap((n) => PROPORTIONS.map((p) => [n, p] as const)))(
  'a proportion: %d questions, p = %d',
  (n, p) => {
    const covered = share(3000, `proportion/${n}/${p}`, (random) => {
      let sum = 0;
      for (let i = 0; i < n; i++) if (random() < p) sum++;
      const { low, high } = scoreInterval({ questions: n, sum, sumOfSquares: sum });
      return low <= p && p <= high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  },
);

/** Graded scores, as F1 has them: some 0, some 1, the rest between; and their mean. */
const GRADED: [name: string, draw: (random: Random) => number, mean: number][] = [
  ['even', (random) => random(), 0.5],
  ['mostly 0', (random) => (random() < 0.8 ? 0 : random()), 0.1],
  ['mostly 1', (random) => (random() < 0.8 ? 1 : random() ** 2), 0.8 + 0.2 / 3],
];

test.each(SIZES.flatMap((n) => GRADED.map((graded) => [n, ...graded] as const)))(
  'a mean of graded scores: %d questions, %s',
  (n, name, draw, mean) => {
    const covered = share(800, `graded/${n}/${name}`, (random) => {
      const { low, high } = meanInterval(drawn(n, () => draw(random)));
      return low <= mean && mean <= high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  },
);

test.each(SIZES)('a ratio: %d questions with one to five answers', (n) => {
  const covered = share(800, `ratio/${n}`, (random) => {
    const questions = drawn(n, () => 1 + Math.floor(5 * random())).map((whole) => {
      // Some questions are easy and some are hard, so that the answers of one go together.
      const ease = random();
      return { whole, part: drawn(whole, random).filter((luck) => luck < ease).length };
    });
    const { low, high } = ratioInterval(questions);
    return low <= 0.5 && 0.5 <= high;
  });
  expect(covered).toBeGreaterThanOrEqual(0.93);
});

/** Right or wrong, and graded. */
const SCORES: [name: string, draw: (random: Random) => number][] = [
  ['right one in ten', (random) => Number(random() < 0.1)],
  ['right one in two', (random) => Number(random() < 0.5)],
  ...GRADED.map(([name, draw]) => [name, draw] as [string, typeof draw]),
];

test.each([1, 3, 10, 15, ...SIZES])('nothing is found in nothing: %d questions', (n) => {
  const times = n <= 15 ? 3000 : 1000;
  for (const [name, draw] of SCORES) {
    const found = { 0.05: 0, 0.01: 0, 0.003: 0 };
    share(times, `nothing/${n}/${name}`, (random) => {
      const [one = [], other = []] = [1, 2].map(() => drawn(n, () => draw(random)));
      const { p } = pairedDifference(differencesOf(one, other));
      if (p < 0.05) found[0.05]++;
      if (p < 0.01) found[0.01]++;
      if (p < 0.003) found[0.003]++;
      return p < 0.05;
    });
    expect([name, found[0.05] / times <= 0.06]).toEqual([name, true]);
    expect([name, found[0.01] / times <= 0.016]).toEqual([name, true]);
    expect([name, found[0.003] / times <= 0.007]).toEqual([name, true]);
  }
});

test.each(SIZES)('a true difference is in its interval: %d questions', (n) => {
  for (const level of [0.05, 0.01]) {
    const covered = share(1000, `difference/${n}/${level}`, (random) => {
      // Right where the other is wrong in 20 of 100, the other way round in 5.
      const pairs = drawn(n, () => {
        const luck = random();
        return luck < 0.2 ? 1 : luck < 0.25 ? -1 : 0;
      });
      const [first, second] = [pairs, pairs].map((list, side) =>
        list.map((d) => Number(side === 0 ? d > 0 : d < 0)),
      );
      const difference = pairedDifference(differencesOf(first ?? [], second ?? []));
      const { low, high } = differenceInterval(difference, level);
      return low <= 0.15 && 0.15 <= high;
    });
    expect(covered).toBeGreaterThanOrEqual(1 - level - 0.015);
  }
});
