/**
 * What a tune claims where the truth is known: the functions that choose, test and decide, with
 * outcomes drawn as numbers. All seeds are fixed.
 */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../core/sampler.js';
import { confirmFinalists } from '../../../evaluation/tune/confirm.js';
import { CHANGED_SHARE, confirmableGain } from '../../../evaluation/tune/power.js';
import { type SimulatedTune, simulateTune } from '../../../evaluation/tune/simulate.js';

const LEVEL = 0.05;
const REPEATS = 1000;

const BETTER = { goal: 'better', margin: 0 } as const;
const alike = (candidates: number, gain = 0) => Array.from({ length: candidates }, () => gain);

/** The share of tunes that claim something, and that claim something that is not so. */
function claims(world: SimulatedTune, seed: string) {
  const random = seededRandom(seed);
  let [any, wrong, finalists, covered] = [0, 0, 0, 0];
  for (let i = 0; i < REPEATS; i++) {
    const found = simulateTune(world, random).finalists;
    const shown = found.filter(({ isShown }) => isShown);
    if (shown.length > 0) any++;
    const gainOf = ({ candidate }: { candidate: number }) => world.gains[candidate] ?? 0;
    if (shown.some((one) => gainOf(one) <= -world.goal.margin)) wrong++;
    for (const one of found) {
      finalists++;
      const { low, high } = one.difference;
      if (low <= gainOf(one) && gainOf(one) <= high) covered++;
    }
  }
  return { any: any / REPEATS, wrong: wrong / REPEATS, coverage: covered / finalists };
}

/** Alpha, and two standard errors of a share of so many repeats. */
const mostWrong = LEVEL + 2 * Math.sqrt((LEVEL * (1 - LEVEL)) / REPEATS);

test.each([
  ['a hundred questions of half B', 100],
  ['five hundred', 500],
] as const)('claims nothing where nothing differs: %s', (_, questions) => {
  const world = { goal: BETTER, questions, gains: alike(20), changing: 0.2 };
  const { wrong, coverage } = claims(world, `none/${questions}`);
  expect(wrong).toBeLessThanOrEqual(mostWrong);
  expect(coverage).toBeGreaterThanOrEqual(0.9);
});

/** Twenty candidates, of which one is better by ten points; the chance with which it is found. */
test.each([
  [200, 0.33],
  [400, 0.66],
  [1000, 0.96],
] as const)('finds one of twenty that is better by ten points: %d questions', (all, chance) => {
  const gains = [0.1, ...alike(19)];
  const world = { goal: BETTER, questions: all / 2, gains, changing: 0.2 };
  const { any, coverage } = claims(world, `one/${all}`);
  expect(any).toBeGreaterThanOrEqual(chance - 2 * Math.sqrt((chance * (1 - chance)) / REPEATS));
  expect(coverage).toBeGreaterThanOrEqual(0.9);
});

/** Cheaper pipelines that lose exactly what may not be lost, by the share of answers that change. */
test.each([
  [20, 0.3, 0.4],
  [100, 0.05, 0.2],
  [100, 0.05, 0.05],
  [200, 0.03, 0.03],
  [500, 0.1, 0.2],
] as const)('%d questions claim no pipeline at a margin of %d', (questions, margin, changing) => {
  const goal = { goal: 'cheaper', margin } as const;
  for (const candidates of [1, 20]) {
    const world = { goal, questions, gains: alike(candidates, -margin), changing };
    const { wrong } = claims(world, `margin/${questions}/${candidates}`);
    expect(wrong).toBeLessThanOrEqual(mostWrong);
  }
});

test('shows a cheaper pipeline that loses nothing', () => {
  const goal = { goal: 'cheaper', margin: 0.05 } as const;
  const world = { goal, questions: 500, gains: [0, ...alike(7, -0.1)], changing: 0.1 };
  const { any, wrong } = claims(world, 'cheaper');
  expect(any).toBeGreaterThan(0.85);
  expect(wrong).toBeLessThanOrEqual(mostWrong);
});

test('a rule that takes the best mean claims a gain where there is none', () => {
  const random = seededRandom('greedy');
  const [questions, changing, repeats] = [200, 0.2, 300];
  let accepted = 0;
  for (let i = 0; i < repeats; i++) {
    const start = Array.from({ length: questions }, () => Number(random() < 0.5));
    const sum = (scores: readonly number[]) => scores.reduce((so, one) => so + one, 0);
    let best = sum(start);
    for (let candidate = 0; candidate < 20; candidate++) {
      const scores = start.map((was) => (random() < changing ? 1 - was : was));
      const batch = [0, 1, 2].map(() => Math.floor(random() * questions));
      const gain = (at: number) => (scores[at] ?? 0) - (start[at] ?? 0);
      if (sum(batch.map(gain)) > 0) best = Math.max(best, sum(scores));
    }
    if (best > sum(start)) accepted++;
  }
  expect(accepted / repeats).toBeGreaterThan(0.8);
});

test('an interval ends above what is tested exactly if that is shown', () => {
  const random = seededRandom('interval');
  const drawn = (right: number) =>
    new Map(Array.from({ length: 60 }, (_, i) => [String(i), Number(random() < right)]));
  for (let i = 0; i < 400; i++) {
    const margin = i % 2 === 0 ? 0 : 0.1;
    const goal = { goal: margin === 0 ? 'better' : 'cheaper', margin } as const;
    const finalists = ['a', 'b'].map((id) => ({ id, scores: drawn(0.6) }));
    for (const { isShown, difference } of confirmFinalists(finalists, drawn(0.5), goal)) {
      expect(difference.low > -margin).toBe(isShown);
    }
  }
});

/** One finalist of three differs from the others; the share of half B's tests that show it. */
test.each([
  ['better', 50],
  ['better', 100],
  ['better', 500],
  ['cheaper', 50],
  ['cheaper', 100],
  ['cheaper', 500],
] as const)('shows a %s finalist as often as a plan says: %d questions', (goal, questions) => {
  const random = seededRandom(`power/${goal}/${questions}`);
  const gain = confirmableGain(questions, goal);
  const gains = goal === 'better' ? [gain, 0, 0] : [0, -gain, -gain];
  const changing = Math.max(CHANGED_SHARE[goal], gain);
  const repeats = 500;
  let shown = 0;
  for (let i = 0; i < repeats; i++) {
    const start = Array.from({ length: questions }, () => random() < 0.5);
    const scoresOf = (rights: boolean[]) =>
      new Map(rights.map((right, at) => [String(at), Number(right)]));
    const finalists = gains.map((more, at) => {
      const share = at === 0 ? CHANGED_SHARE[goal] : changing;
      const rights = start.map((was) => {
        return was ? random() >= share - more : random() < share + more;
      });
      return { id: String(at), scores: scoresOf(rights) };
    });
    const margin = goal === 'better' ? 0 : gain;
    const [first] = confirmFinalists(finalists, scoresOf(start), { goal, margin });
    if (first?.isShown) shown++;
  }
  expect(shown / repeats).toBeGreaterThan(0.74);
  expect(shown / repeats).toBeLessThan(0.9);
});
