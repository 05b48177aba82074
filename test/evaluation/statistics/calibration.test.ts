/** What intervals and tests promise, by simulation: 95 % covered, no more than 5 % found in nothing. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../evaluation/random.js';
import { compareRuns, correctTogether } from '../../../evaluation/statistics/compare-runs.js';
import { mcnemarOf } from '../../../evaluation/statistics/mcnemar.js';
import { pairedPermutation } from '../../../evaluation/statistics/paired-permutation.js';
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
    const covered = share(10_000, `proportion/${n}/${p}`, (random) => {
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
  ['0, 1 and between', (random) => [0, 0, 1, random()][Math.floor(4 * random())] ?? 0, 0.375],
  ['mostly 1', (random) => (random() < 0.8 ? 1 : random() ** 2), 0.8 + 0.2 / 3],
  ['close together', (random) => 0.45 + random() / 10, 0.5],
];

test.each(SIZES.flatMap((n) => GRADED.map((graded) => [n, ...graded] as const)))(
  'a mean of graded scores: %d questions, %s',
  (n, name, draw, mean) => {
    const covered = share(1500, `graded/${n}/${name}`, (random) => {
      const { low, high } = meanInterval(drawn(n, () => draw(random)));
      return low <= mean && mean <= high;
    });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  },
);

test.each(SIZES)('a ratio: %d questions with one to five answers', (n) => {
  const covered = share(1500, `ratio/${n}`, (random) => {
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

const FEW = [1, 2, 3, 5, 10];

test.each([...FEW, ...SIZES])('McNemar’s test finds nothing in nothing: %d questions', (n) => {
  for (const p of [0.1, 0.5]) {
    const wrongly = share(2000, `mcnemar/${n}/${p}`, (random) => {
      const [one, other] = [1, 2].map(() => drawn(n, () => Number(random() < p)));
      return mcnemarOf(one ?? [], other ?? []).p < 0.05;
    });
    expect(wrongly).toBeLessThanOrEqual(0.06);
  }
});

test.each([...FEW, 15, ...SIZES])(
  'the permutation test finds nothing in nothing: %d questions',
  (n) => {
    const times = n <= 10 ? 2000 : 500;
    for (const [name, draw] of GRADED) {
      let outside = 0;
      const wrongly = share(times, `permutation/${n}/${name}`, (random) => {
        const [one, other] = [1, 2].map(() => drawn(n, () => draw(random)));
        const { p, low, high } = pairedPermutation(one ?? [], other ?? [], { seed: 0, draws: 199 });
        if (low > 0 || high < 0) outside++;
        return p < 0.05;
      });
      expect(wrongly).toBeLessThanOrEqual(0.06);
      expect(outside / times).toBeLessThanOrEqual(0.06);
    }
  },
);

test('a difference of one question is nothing, however few there are', () => {
  for (const n of FEW) {
    const scores = (first: number) =>
      new Map(drawn(n, () => 0.5).map((score, i) => [`q${i}`, i === 0 ? first : score]));
    const compared = compareRuns(scores(1), scores(0), { seed: 0 });
    expect(compared.tooFew).toBe(true);
    expect(correctTogether([compared])[0]?.p).toBe(1);
  }
});
