/** The search of a tune: who is asked how much, what is joined, who is confirmed. */
import { expect, test } from 'vitest';
import { type Candidate, type Change, candidateOf } from '../../../core/tune/candidates.js';
import type { Goal } from '../../../core/tune/tune.js';
import { addEffort, confirmationMost, searchBounds } from '../../../evaluation/tune/bounds.js';
import { drawnOrder, halfOf, questionHash, rungsOf } from '../../../evaluation/tune/halves.js';
import {
  chanceToConfirm,
  confirmableGain,
  paidBackAfter,
  questionsToConfirm,
} from '../../../evaluation/tune/power.js';
import { type MeanFigures, type Policy, searchState } from '../../../evaluation/tune/search.js';
import { chanceToFind } from '../../../evaluation/tune/simulate.js';

const BETTER: Goal = { goal: 'better', margin: 0 };
const cheaper = (margin: number): Goal => ({ goal: 'cheaper', margin });

const model = (at: string, to: string): Candidate => candidateOf([{ of: 'models', at, to }]);
const option = (at: string, to: unknown): Candidate => candidateOf([{ of: 'options', at, to }]);

const START = { mean: 0.5, usd: 10 };

/** Searches to its end; every pipeline has the same figures on every rung. */
function search(
  goal: Goal,
  table: readonly (readonly [Candidate, mean: number, usd: number | null])[],
  {
    questions = 80,
    policy,
    failing,
    joint = START,
    most = Infinity,
  }: {
    questions?: number;
    policy?: Policy;
    failing?: Candidate | undefined;
    joint?: MeanFigures;
    /** Questions that are asked before the search is stopped. */
    most?: number;
  } = {},
) {
  const asked = new Map<string, number>();
  const figures = new Map(table.map(([{ id }, mean, usd]) => [id, { mean, usd }]));
  for (let steps = 0; steps < 20; steps++) {
    const spent = [...asked.values()].reduce((so, one) => so + one, 0);
    const candidates = table.map(([candidate]) => candidate);
    const state = searchState(
      { goal, questions, candidates, policy, stopped: spent >= most },
      {
        start: () => START,
        candidate: (id, upTo) => {
          return (asked.get(id) ?? 0) >= upTo ? (figures.get(id) ?? joint) : undefined;
        },
        hasFailed: (id) => id === failing?.id,
      },
    );
    if (!state.next)
      return { ...state, finalists: state.finalists.map(({ label }) => label), asked };
    const { candidates: next, questions: upTo } = state.next;
    for (const { id, changes } of next) {
      const before = candidateOf(changes.slice(0, -1)).id;
      if (changes.length > 1) expect(asked.get(before)).toBe(upTo);
      asked.set(id, upTo);
    }
  }
  throw new Error('The search has no end.');
}

test('a question has its half by its text alone', () => {
  const half = (question: string, more: object = {}) =>
    halfOf({ id: 'x', question, ...more }, 'doc');
  const texts = Array.from({ length: 4000 }, (_, i) => `Who wrote book ${i}?`);
  const inA = texts.filter((text) => half(text) === 'A').length;
  expect(Math.abs(inA / texts.length - 0.5)).toBeLessThan(0.03);
  for (const text of texts.slice(0, 50)) {
    expect(half(`  ${text.toUpperCase()}\n`, { id: 'another' })).toBe(half(text));
    expect(questionHash({ question: text.replace(' ', '\u00a0') })).toBe(
      questionHash({ question: text }),
    );
  }
  const together = texts.slice(0, 50).map((text) => half(text, { fields: { doc: 'one' } }));
  expect(new Set(together).size).toBe(1);
  // A question without the field is a cluster of its own.
  expect(half('Why?', { fields: { doc: '' } })).toBe(half('Why?'));
});

test('the order of a half does not depend on that of its file', () => {
  const questions = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, question: id }));
  expect(drawnOrder(questions.toReversed())).toEqual(drawnOrder(questions));
  expect(rungsOf(80)).toEqual([10, 20, 40, 80]);
  expect(rungsOf(3)).toEqual([1, 2, 3]);
  expect(rungsOf(0)).toEqual([0]);
});

test('the better half goes on, three at least, and the best three are confirmed', () => {
  const table = Array.from({ length: 20 }, (_, i) => {
    return [model('read', `m${i}`), 0.5 + i / 100, 10] as const;
  });
  const { asked, finalists, joined } = search(BETTER, table);
  const counts = [...asked.values()].sort((a, b) => a - b);
  expect(counts.filter((count) => count === 10)).toHaveLength(10);
  expect(counts.filter((count) => count === 20)).toHaveLength(5);
  expect(counts.filter((count) => count === 40)).toHaveLength(2);
  expect(counts.filter((count) => count === 80)).toHaveLength(3);
  expect(finalists).toEqual(['read: m19', 'read: m18', 'read: m17']);
  // All of them change the same step.
  expect(joined).toEqual([]);
});

test('what is no better is not confirmed', () => {
  const table = [0.5, 0.4, 0.3].map((mean, i) => [model('read', `m${i}`), mean, 1] as const);
  expect(search(BETTER, table).finalists).toEqual([]);
});

test('cheaper pipelines are confirmed by their cost, of equals the better one', () => {
  const table = [
    [model('read', 'dear'), 0.9, 11],
    [model('read', 'as dear'), 0.9, 10],
    [model('read', 'worse'), 0.44, 1],
    [model('read', 'good'), 0.52, 5],
    [model('read', 'less good'), 0.46, 5],
    [model('read', 'cheap'), 0.47, 4],
    [model('read', 'unpriced'), 0.9, null],
  ] as const;
  const { finalists } = search(cheaper(0.05), table);
  expect(finalists).toEqual(['read: cheap', 'read: good', 'read: less good']);
  // Exactly the margin is lost: that may not be.
  expect(search(cheaper(0.05), [[model('read', 'm'), 0.45, 1]]).finalists).toEqual([]);
});

test('where nothing has a price, nothing is cheaper', () => {
  const free = [[model('read', 'a'), 0.5, 10]] as const;
  expect(search(cheaper(0.05), free).finalists).toEqual([]);
});

test('the best changes are joined, one step or option after the other', () => {
  const table = [
    [model('read', 'a'), 0.7, 10],
    [model('read', 'b'), 0.6, 10],
    [option('passages', 5), 0.65, 10],
  ] as const;
  const { joined, finalists } = search(BETTER, table, { joint: { mean: 0.8, usd: 10 } });
  expect(joined.map(({ label }) => label)).toEqual(['read: a + passages 5']);
  expect(finalists).toEqual(['read: a + passages 5', 'read: a', 'passages 5']);
  const worse = search(BETTER, table, { joint: { mean: 0.4, usd: 10 } });
  expect(worse.finalists).toEqual(['read: a', 'passages 5', 'read: b']);
  // A joint change is a fork of the one before it: each is asked once that is answered, if it is.
  const four = [...table, [option('order', 'last'), 0.64, 10]] as const;
  const { asked, joined: chain } = search(BETTER, four);
  expect(chain).toHaveLength(2);
  const steps = [...asked].map(([id]) => id).slice(-2);
  expect(steps).toEqual(chain.map(({ id }) => id));
  expect(search(BETTER, four, { failing: chain[0] }).joined).toEqual([]);
  expect(search(BETTER, four, { failing: chain[1] }).joined).toEqual([chain[0]]);
  const whole: Change = { of: 'method', at: 'base', to: {} };
  const methods = [[candidateOf([whole]), 0.9, 10], ...table.slice(0, 1)] as const;
  expect(search(BETTER, methods).joined).toEqual([]);
});

test('a candidate that cannot be asked holds nobody', () => {
  const table = [
    [model('read', 'a'), 0.9, 10],
    [model('read', 'b'), 0.6, 10],
  ] as const;
  expect(search(BETTER, table, { failing: table[0][0] }).finalists).toEqual(['read: b']);
});

test('a search that is stopped ends with the last rung that all have been asked', () => {
  const table = Array.from({ length: 8 }, (_, i) => {
    return [model('read', `m${i}`), 0.5 + i / 100, 10] as const;
  });
  const { finalists, asked } = search(BETTER, table, { most: 80 });
  expect(finalists).toEqual(['read: m7', 'read: m6', 'read: m5']);
  expect(new Set(asked.values())).toEqual(new Set([10]));
  // Nobody was asked anything: there is nothing to choose from.
  expect(search(BETTER, table, { most: 0 }).finalists).toEqual([]);
});

test('another policy can be written', () => {
  const onlyFirst: Policy = ({ candidates }) => candidates.slice(0, 1).map(({ id }) => id);
  const table = [0.6, 0.9].map((mean, i) => [model('read', `m${i}`), mean, 10] as const);
  expect(search(BETTER, table, { policy: onlyFirst }).finalists).toEqual(['read: m0']);
});

test('a search takes what its bounds say', () => {
  const each = Array.from({ length: 20 }, (_, i) => {
    const effort = { calls: i + 1, usd: (i + 1) / 100 };
    return { candidate: model('read', `m${i}`), least: effort, most: effort };
  });
  const { least, most } = searchBounds(each, 80);
  const table = each.map(({ most }, i) => {
    return [model('read', `m${i}`), 0.5 + i / 100, most.usd] as const;
  });
  for (const order of [table, table.map(([one, mean, usd]) => [one, 2 - mean, usd] as const)]) {
    const { asked } = search(BETTER, order);
    const calls = each.reduce((so, { most }, i) => {
      return so + most.calls * (asked.get(order[i]?.[0].id ?? '') ?? 0);
    }, 0);
    expect(calls).toBeGreaterThanOrEqual(least.calls);
    expect(calls).toBeLessThanOrEqual(most.calls);
  }
  // The dearest three: all of them change the same step.
  const dearest = 20 + 19 + 18;
  expect(confirmationMost(each, 10).calls).toBe(10 * dearest);
  // Of changes of several steps two of them joined, and all three joined.
  const steps = each.map((one, i) => ({ ...one, candidate: model(`step${i}`, 'm') }));
  expect(confirmationMost(steps, 10).calls).toBe(10 * (dearest + (20 + 19) + dearest));
  expect(addEffort({ calls: 1, usd: 1 }, { calls: 2, usd: null })).toEqual({ calls: 3, usd: null });
});

test('what so many questions can show', () => {
  // As the simulations have it: 13, 9.5 and 6 points with a fifth of the questions changing.
  expect(100 * confirmableGain(100, 'better')).toBeCloseTo(13.3, 0);
  expect(100 * confirmableGain(200, 'better')).toBeCloseTo(9.4, 0);
  expect(100 * confirmableGain(500, 'better')).toBeCloseTo(6, 0);
  // 2,000 questions show 3 to 4 points.
  expect(100 * confirmableGain(1000, 'cheaper')).toBeCloseTo(3, 0);
  expect(100 * confirmableGain(1000, 'better')).toBeCloseTo(4.2, 0);
  for (const goal of ['better', 'cheaper'] as const) {
    expect(confirmableGain(questionsToConfirm(0.03, goal), goal)).toBeLessThanOrEqual(0.0301);
    expect(chanceToConfirm(confirmableGain(200, goal), 200, goal)).toBeCloseTo(0.8, 2);
    expect(chanceToConfirm(0, 200, goal)).toBeLessThan(0.05);
  }
  const among = { candidates: 20, questions: 100, changing: 0.2 };
  expect(chanceToFind(0.1, among)).toBeGreaterThan(0.25);
  expect(chanceToFind(0.1, among)).toBeLessThan(0.5);
});

test('a tune pays for itself after so many questions', () => {
  expect(paidBackAfter(10, 0.01, 0.006)).toBe(2500);
  expect(paidBackAfter(10, 0.01, 0.01)).toBeNull();
  expect(paidBackAfter(null, 0.01, 0.006)).toBeNull();
});
