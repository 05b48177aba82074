/** When a difference is decided: reference values, what holds always, and false stops by simulation. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import { Betting, BettingSequence } from '../../../evaluation/statistics/betting.js';
import { type DecisionRule, decide, stoppingPoint } from '../../../evaluation/statistics/decide.js';
import { shuffled } from '../../support/random.js';

test.each([
  [10, 2, 4.100586],
  [8, 0, 50.273438],
  [0, 0, 1],
])('the evidence of %d to %d', (b, c, evidence) => {
  const differences = [...new Array(c).fill(-1), ...new Array(b).fill(1)];
  // Split over so many comparisons that it never stops.
  const rule = { scores: 'yesNo', questions: 100, comparisons: 1e6 } as const;
  expect(stoppingPoint(differences, rule).most).toBeCloseTo(evidence, 6);
});

/** Graded scores without chance. */
const GRADED = Array.from({ length: 300 }, (_, i) => ((i * 37) % 101) / 100);

const SEEN = [1, 0, 0, 1, 1, 0, -1, 1, 0, 1, 1, 0, 1, 1, 0, 1, -1, 1, 1, 1];

test('the wealth of bets against one half', () => {
  const betting = new Betting([0.5], { alpha: 0.05 });
  for (const d of SEEN) betting.add((1 + d) / 2);
  expect((betting.bets[0]?.higher ?? 0) / 2).toBeCloseTo(16.218292, 6);
  // Of 40 questions it ends at 92.7; bets stop at 2 / alpha, where the evidence is 20.
  const ofForty = new Betting([0.5], { alpha: 0.05, population: 40 });
  for (const d of SEEN) ofForty.add((1 + d) / 2);
  expect(ofForty.bets[0]?.refused).toBe('higher');
});

const YES_NO: DecisionRule = { scores: 'yesNo', questions: 1000 };
const BETTING: DecisionRule = { ...YES_NO, scores: 'graded' };
const THIS: DecisionRule = { ...BETTING, about: 'thisDataset' };

/** Differences of yes/no outcomes: so many of the questions fall to the one, so many to the other. */
function drawn(random: () => number, first: number, second: number, count = 1000): number[] {
  return Array.from({ length: count }, () => {
    const luck = random();
    return luck < first ? 1 : luck < first + second ? -1 : 0;
  });
}

/** Question means of three repeats that agree for the most part, as those of a model do. */
function repeats(random: () => number): number[] {
  return drawn(random, 0.15, 0.15).map(
    (whole) => (2 * whole + (drawn(random, 0.1, 0.1, 1)[0] ?? 0)) / 3,
  );
}

const mean = (values: readonly number[]) => values.reduce((so, v) => so + v, 0) / values.length;

interface Stops {
  /** Share of the simulations that decided, and of those with a wrong side. */
  decided: number;
  median: number;
}

function simulate(times: number, rule: DecisionRule, draw: () => number[]): Stops {
  const stops = Array.from({ length: times }, () => {
    const { decidedAt } = stoppingPoint(draw(), rule);
    return decidedAt ?? Infinity;
  }).sort((a, b) => a - b);
  return {
    decided: stops.filter((at) => at < Infinity).length / times,
    median: stops[Math.floor(times / 2)] ?? Infinity,
  };
}

const TIMES = 100;
/** Three standard errors of a share of 5 % above it. */
const NOISE = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / TIMES);

describe('false stops are at most alpha, looked at after every question', () => {
  test.each([
    ['yes/no', YES_NO],
    ['betting', BETTING],
  ])('%s, one comparison', (name, rule) => {
    const random = seededRandom(`one/${name}`);
    const { decided } = simulate(TIMES, rule, () => drawn(random, 0.1, 0.1));
    expect(decided).toBeLessThanOrEqual(NOISE);
  });

  test('this data set: scores in a random order whose mean is exactly none', () => {
    const random = seededRandom('this');
    const all = [1, -1, 0].flatMap((d) => Array.from({ length: d === 0 ? 800 : 100 }, () => d));
    const { decided } = simulate(TIMES, THIS, () => shuffled(all, random));
    expect(decided).toBeLessThanOrEqual(NOISE);
  });

  test('repeats: question means', () => {
    const random = seededRandom('repeats');
    const { decided } = simulate(TIMES, BETTING, () => repeats(random));
    expect(decided).toBeLessThanOrEqual(NOISE);
  });

  test('five comparisons with one baseline: seldom one of them', () => {
    const random = seededRandom('five');
    const rule = { ...YES_NO, comparisons: 5 };
    let wrong = 0;
    for (let time = 0; time < TIMES; time++) {
      const right = (chance: number) =>
        Array.from({ length: 1000 }, () => Number(random() < chance));
      const baseline = right(0.4);
      const found = [1, 2, 3, 4, 5].map(() => {
        const differences = right(0.4).map((score, i) => score - (baseline[i] ?? 0));
        return stoppingPoint(differences, rule).decidedAt;
      });
      if (found.some((at) => at !== undefined)) wrong++;
    }
    expect(wrong / TIMES).toBeLessThanOrEqual(NOISE);
  });

  test('a difference of exactly delta is not found to be more', () => {
    const random = seededRandom('delta');
    const rule = { ...BETTING, delta: 0.05 };
    const { decided } = simulate(TIMES, rule, () => drawn(random, 0.125, 0.075));
    expect(decided).toBeLessThanOrEqual(NOISE);
  });
});

describe('a true difference is found after about as many questions as published simulations say', () => {
  // The difference in points and the share of questions on which they differ; medians of 300.
  test.each([
    [0.05, 0.2, 660, 452],
    [0.07, 0.21, 344, 292],
    [0.1, 0.26, 216, 181],
  ])('%d of %d', (difference, differ, median, ofThis) => {
    const random = seededRandom(`true/${difference}`);
    const draw = () => drawn(random, (differ + difference) / 2, (differ - difference) / 2);
    expect(Math.abs(simulate(TIMES, YES_NO, draw).median / median - 1)).toBeLessThan(0.25);
    const [first, second] = [(differ + difference) * 500, (differ - difference) * 500];
    const all = [...Array(1000).keys()].map((i) => (i < first ? 1 : i < first + second ? -1 : 0));
    const found = simulate(TIMES, THIS, () => shuffled(all, random));
    expect(Math.abs(found.median / ofThis - 1)).toBeLessThan(0.25);
  });
});

const prefix = fc.array(fc.constantFrom(-1, 0, 0, 1), { minLength: 1, maxLength: 80 });
const graded = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});
const rules = fc.constantFrom<DecisionRule>(
  { scores: 'yesNo', questions: 100 },
  { scores: 'graded', questions: 100 },
  { scores: 'graded', questions: 100, delta: 0.1 },
  { scores: 'graded', questions: 100, about: 'thisDataset' },
);
const MIRRORED = { better: 'worse', worse: 'better' } as Record<string, string>;

test('exchanging the two mirrors the decision and changes nothing else', () => {
  fc.assert(
    fc.property(prefix, rules, (differences, rule) => {
      const there = decide({ differences }, rule);
      const back = decide({ differences: differences.map((d) => -d) }, rule);
      expect(back.verdict).toBe(MIRRORED[there.verdict] ?? there.verdict);
      expect(back.decidedAt).toBe(there.decidedAt);
      expect(back.p).toBeCloseTo(there.p, 9);
    }),
  );
});

test('a decision stands whatever follows, and its p only falls', () => {
  fc.assert(
    fc.property(graded, graded, (before, after) => {
      const rule: DecisionRule = { scores: 'graded', questions: 200 };
      const first = decide({ differences: before }, rule);
      const later = decide({ differences: [...before, ...after] }, rule);
      expect(later.p).toBeLessThanOrEqual(first.p);
      if (first.decidedAt === undefined) return;
      expect(later.verdict).toBe(first.verdict);
      expect(later.decidedAt).toBe(first.decidedAt);
    }),
  );
});

test('the band never widens, holds the mean, and excludes 0 where betting has decided', () => {
  fc.assert(
    fc.property(prefix, (differences) => {
      const sequence = new BettingSequence({ alpha: 0.05 });
      const widths = differences.map((d) => {
        sequence.add((1 + d) / 2);
        const { mean: middle, low, high } = sequence.interval();
        expect(low <= middle && middle <= high).toBe(true);
        return high - low;
      });
      expect(widths.length).toBe(differences.length);
      const { band, verdict, decidedAt } = decide({ differences }, BETTING);
      const last = band.at(-1);
      expect(last?.asked).toBe(differences.length);
      expect(last?.mean).toBeCloseTo(mean(differences), 9);
      if (decidedAt === differences.length && verdict === 'better') {
        expect(last?.low).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('of yes/no outcomes only those that differ count, and not in which order at the last look', () => {
  fc.assert(
    fc.property(prefix, (differences) => {
      const rule: DecisionRule = { scores: 'yesNo', questions: 100 };
      const without = differences.filter((d) => d !== 0);
      expect(decide({ differences: without }, rule).p).toBe(decide({ differences }, rule).p);
    }),
  );
});

test('with all questions of a data set asked, every difference is known', () => {
  const differences = [1, -1, 0, 0, 1, 0, 0, 0, 0, 0];
  const rule: DecisionRule = { scores: 'graded', questions: 10, about: 'thisDataset' };
  expect(decide({ differences }, rule)).toMatchObject({ verdict: 'better', p: 0 });
  const last = decide({ differences }, rule).band.at(-1);
  expect(last?.low).toBeCloseTo(0.1, 12);
  expect(last?.high).toBe(last?.low);
  const even = decide({ differences: [1, -1, 0, 0] }, { ...rule, questions: 4 });
  expect(even.verdict).toBe('cannot');
});

test('says when the questions that are left cannot decide, and not a question sooner', () => {
  const rule: DecisionRule = { scores: 'yesNo', questions: 14 };
  // 7 to 0 is 26.5, 6 to 0 is 14.8 with a = 1/2: seven of the last seven decide, six do not.
  const ties = (n: number) => ({ differences: Array.from({ length: n }, () => 0) });
  expect(decide(ties(7), rule).verdict).toBe('undecided');
  expect(decide(ties(8), rule).verdict).toBe('cannot');
});

test('alike: shown to differ by no more than delta', () => {
  const differences = Array.from({ length: 600 }, (_, i) =>
    i % 20 === 0 ? 1 : i % 20 === 9 ? -1 : 0,
  );
  const found = decide({ differences }, { scores: 'yesNo', questions: 1000, delta: 0.08 });
  expect(found).toMatchObject({ verdict: 'alike', test: 'betting' });
});

test('refuses what it cannot test', () => {
  const rule: DecisionRule = { scores: 'yesNo', questions: 2 };
  expect(() => decide({ differences: [0.5] }, rule)).toThrow('graded');
  expect(() => decide({ differences: [1, 1, 1] }, rule)).toThrow('3 questions are asked of 2');
  expect(() => decide({ differences: [1], leftOut: 1 }, { ...rule, about: 'thisDataset' })).toThrow(
    'every question counts',
  );
  expect(() => decide({ differences: [] }, { ...rule, alpha: 1 })).toThrow('alpha is 1');
});

// Ends of the sequence as the formulae give them in NumPy, to a step of the grid.
test.each([
  ['yes/no', SEEN.map((d) => (1 + d) / 2), 0.05, undefined, 0.491, 0.902],
  ['yes/no, of 40', SEEN.map((d) => (1 + d) / 2), 0.05, 40, 0.55, 0.871],
  ['graded', GRADED, 0.05, undefined, 0.445, 0.55],
  ['graded, of 600', GRADED, 0.05, 600, 0.455, 0.539],
  ['graded, at 99 %', GRADED, 0.01, undefined, 0.436, 0.56],
])(
  'the confidence sequence agrees with another implementation: %s',
  (_, scores, alpha, population, low, high) => {
    const sequence = new BettingSequence({ alpha, population });
    for (const score of scores) sequence.add(score);
    expect(sequence.interval().low).toBeCloseTo(low - 0.001, 9);
    expect(sequence.interval().high).toBeCloseTo(high + 0.001, 9);
  },
);
