/** Runs against each other: comparisons, null controls, sweeps of noise. */
import { expect, test } from 'vitest';
import { differenceSections } from '../../../evaluation/report/sections/differences.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { experimentOf, sweepOf } from '../../../evaluation/runs/run-identity.js';
import { answerOf, questionOf, runOf } from '../../support/runs/answers.js';
import { type ExampleRun, exampleRun, manifestOf } from '../../support/runs/example-runs.js';

const scored = (run: string, em: string, rest: Partial<ExampleRun> = {}) =>
  runOf(
    run,
    [...em].map((score, i) => [
      questionOf(`q${i}`),
      answerOf(`q${i}`, 'answered', { em: Number(score) }),
    ]),
    rest,
  );

test('every pair in every headline metric, corrected together', async () => {
  const one = scored('one', '1111111111110', { method: 'sure' });
  const two = scored('two', '0000000000001');
  const three = scored('three', '1010101010101', { method: 'genread' });
  const { comparisons, controls, notes } = await evaluateRuns([one, two, three]);
  expect(comparisons.map(({ first, second, metric }) => [first, second, metric])).toEqual([
    [0, 1, 'em'],
    [0, 2, 'em'],
    [1, 2, 'em'],
  ]);
  const [first] = comparisons;
  expect(first?.mcnemar).toMatchObject({ onlyFirst: 12, onlySecond: 1, test: 'exact' });
  // Two-sided, of 13 tosses at most one head: 2 * (1 + 13) / 2^13; times three comparisons.
  expect(first?.p).toBeCloseTo(28 / 8192, 12);
  expect(first?.corrected).toBeCloseTo((3 * 28) / 8192, 12);
  expect([controls, notes]).toEqual([[], []]);
});

test('of a few questions nothing is called better, however graded and however clear', async () => {
  for (const count of [1, 2, 3, 5, 10, 19, 20]) {
    const graded = (run: string, method: ExampleRun['method'], f1: number) =>
      runOf(
        run,
        Array.from({ length: count }, (_, i) => [
          questionOf(`q${i}`, { answerKind: 'long' }),
          answerOf(`q${i}`, 'answered', { f1: f1 + i / 100 }),
        ]),
        { method },
      );
    const evaluation = await evaluateRuns([graded('one', 'base', 0.7), graded('two', 'sure', 0.2)]);
    const [difference] = evaluation.comparisons;
    expect(difference?.tooFew).toBe(count < 20);
    if (count <= 5) expect(difference?.p).toBeGreaterThan(0.05);
    const page = differenceSections(evaluation)
      .map((section) => section?.source ?? '')
      .join('');
    const text = comparisonText(evaluation);
    expect(page.includes('is better')).toBe(count >= 20);
    expect(page.includes('too few questions to tell')).toBe(count < 20);
    expect(text.includes('too few to tell')).toBe(count < 20);
  }
});

test('the same experiment twice is a null control, and what is no larger is noise', async () => {
  const a = scored('a', '1100110011', { method: 'sure' });
  const b = scored('b', '1100111111', { method: 'sure', input: { cache: false } });
  const c = scored('c', '1100110000');
  const { comparisons, controls } = await evaluateRuns([a, b, c]);
  expect(controls).toMatchObject([
    { first: 0, second: 1, metric: 'em', churn: 0.2, passed: true, difference: { mean: -0.2 } },
  ]);
  expect(comparisons.map(({ first, withinNoise }) => [first, withinNoise])).toEqual([
    [0, true],
    [1, false],
  ]);
});

test('runs without a question in common are not compared, and a note says so', async () => {
  const one = scored('one', '11');
  const two = runOf('two', [[questionOf('x'), answerOf('x', 'answered', { em: 1 })]]);
  const { comparisons, notes } = await evaluateRuns([one, two]);
  expect(comparisons).toEqual([]);
  expect(notes).toEqual(['one and two have no scored question in common and are not compared.']);
});

test('a note says when the data sets are not the same', async () => {
  const one = scored('one', '11');
  const two = scored('two', '10', { method: 'sure' });
  two.manifest.dataset.sha256 = 'other';
  expect((await evaluateRuns([one, two])).notes).toEqual([
    'one and two were asked from different data sets: only questions of equal id are compared.',
  ]);
});

test('what makes two runs the same experiment', () => {
  const base = manifestOf({ run: 'a', method: 'sure' });
  const input = { cache: false, concurrency: 3, seed: 1 };
  const same = { run: 'b', method: 'sure', input } as const;
  expect(experimentOf(manifestOf(same))).toBe(experimentOf(base));
  for (const other of [{ sampleSeed: 1 }, { options: { passages: 5 } }, { corpus: 'other' }]) {
    expect(experimentOf(manifestOf({ run: 'b', method: 'sure', input: other }))).not.toBe(
      experimentOf(base),
    );
  }
  expect(experimentOf({ ...base, models: { default: 'other' } })).not.toBe(experimentOf(base));
  expect(sweepOf(base)).toBeUndefined();
});

test('runs that differ in the share of noise only make a curve', async () => {
  const run = (name: string, method: ExampleRun['method'], ratio: number, kind?: 'random') =>
    exampleRun({
      run: name,
      method,
      questions: 8,
      input: { noise: { ratio, ...(kind && { kind }) } },
    });
  const { sweeps, comparisons } = await evaluateRuns([
    run('c-60', 'chainOfNote', 0.6),
    run('c-0', 'chainOfNote', 0),
    run('b-0', 'base', 0),
    run('r-0', 'chainOfNote', 0, 'random'),
    exampleRun({ run: 'plain', method: 'chainOfNote', questions: 8 }),
  ]);
  expect(sweeps).toEqual([
    {
      method: 'chainOfNote',
      kind: 'top',
      count: 5,
      points: [
        { ratio: 0, run: 1 },
        { ratio: 0.6, run: 0 },
      ],
    },
  ]);
  // Only methods under the same noise are compared with each other.
  expect(new Set(comparisons.map(({ first, second }) => `${first} ${second}`))).toEqual(
    new Set(['1 2']),
  );
});
