/** Runs against each other: comparisons, null controls, sweeps of noise. */
import { expect, test } from 'vitest';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { experimentOf } from '../../../evaluation/runs/run-identity.js';
import { dataSetsOf } from '../../../report/data-sets.js';
import { differenceTable } from '../../../report/sections/differences.js';
import { packCalls } from '../../../stores/runs/call-records.js';
import {
  answerOf,
  type Entry,
  numbered,
  questionOf,
  runOf,
  usageOf,
} from '../../support/runs/answers.js';
import { type ExampleRun, exampleRun, manifestOf } from '../../support/runs/example-runs.js';

const scored = (run: string, em: string, rest: Partial<ExampleRun> = {}) => {
  const answer = (id: string, i: number) => answerOf(id, 'answered', { em: Number(em[i]) });
  return runOf(run, numbered(em.length, answer), rest);
};

/** So many questions, the first of them right. */
const right = (run: string, count: number, of: number, rest: Partial<ExampleRun> = {}) =>
  scored(run, '1'.repeat(count).padEnd(of, '0'), rest);

test('every run against the first, or the one named, corrected together', async () => {
  const sources = [
    right('one', 40, 60),
    right('two', 28, 60, { method: 'sure' }),
    right('three', 35, 60, { method: 'genread' }),
  ];
  const { comparisons, controls, notes } = await evaluateRuns(sources);
  expect(comparisons).toMatchObject([
    { first: 1, second: 0, metric: 'em', rightOnly: { first: 0, second: 12 }, finding: 'differs' },
    { first: 2, second: 0, metric: 'em', rightOnly: { first: 0, second: 5 } },
  ]);
  const [two, three] = comparisons;
  expect(two?.corrected).toBeCloseTo(2 * (two?.p ?? 0), 12);
  expect([two?.level, three?.level]).toEqual([0.025, 0.05]);
  expect([controls, notes]).toEqual([[], []]);
  const named = await evaluateRuns(sources, { baseline: 'three' });
  expect(named.comparisons.map(({ first, second }) => [first, second])).toEqual([
    [0, 2],
    [1, 2],
  ]);
  await expect(evaluateRuns(sources, { baseline: 'four' })).rejects.toThrow(
    'baseline: must be one of the runs compared (one; two; three)',
  );
});

test('the finding is that of the corrected p, and no interval says otherwise', async () => {
  for (let lead = 0; lead <= 14; lead++) {
    const sources = [
      right('base', 20, 50),
      ...[5, 6, 7, lead].map((more, i) =>
        right(`r${i}`, 20 + more, 50, {
          method: 'sure',
          input: { options: { candidates: i + 2 } },
        }),
      ),
    ];
    for (const { difference, corrected, p, level, finding } of (await evaluateRuns(sources))
      .comparisons) {
      expect(finding).toBe((corrected ?? 1) < 0.05 ? 'differs' : 'noDifference');
      expect(difference.low > 0 || difference.high < 0).toBe(finding === 'differs');
      expect(p < level).toBe(finding === 'differs');
    }
  }
});

/** Questions with these scores, of which the second is for the run that is compared. */
function mixed(kinds: { metrics: string[]; count: number; better: number }[]) {
  const of = (run: string, isBetter: boolean, rest: Partial<ExampleRun> = {}) => {
    const entries = kinds.flatMap(({ metrics, count, better }, kind) =>
      Array.from({ length: count }, (_, i): Entry => {
        const score = i < count / 2 || (isBetter && i < count / 2 + better) ? 1 : 0;
        const id = `${kind}/${i}`;
        const scores = Object.fromEntries(metrics.map((metric) => [metric, score]));
        return [questionOf(id), answerOf(id, 'answered', scores)];
      }),
    );
    return runOf(run, entries, rest);
  };
  return [of('base', false), of('other', true, { method: 'sure' })];
}

test('a metric of one question, or beside the main one, takes no part in the correction', async () => {
  const alone = await evaluateRuns(mixed([{ metrics: ['em'], count: 40, better: 9 }]));
  const [em] = alone.comparisons;
  expect(em).toMatchObject({ finding: 'differs', level: 0.05 });
  expect(em?.corrected).toBe(em?.p);
  const { comparisons } = await evaluateRuns(
    mixed([
      { metrics: ['em', 'f1'], count: 40, better: 9 },
      { metrics: ['accuracy'], count: 1, better: 1 },
      { metrics: ['strEm', 'rougeLsum'], count: 30, better: 0 },
    ]),
  );
  expect(comparisons.map(({ metric, finding }) => [metric, finding])).toEqual([
    ['em', 'differs'],
    ['f1', 'notTested'],
    ['accuracy', 'tooFew'],
    ['strEm', 'noDifference'],
    ['rougeLsum', 'notTested'],
  ]);
  expect(comparisons.map(({ corrected }) => corrected === null)).toEqual([
    ...[false, true, true, false, true],
  ]);
  expect(comparisons[0]?.corrected).toBeCloseTo(2 * (em?.p ?? 1), 12);
});

test('each data set has its own baseline and its own family', async () => {
  const of = (data: string, ...sources: ReturnType<typeof right>[]) => {
    for (const { manifest } of sources) manifest.dataset.sha256 = data;
    return sources;
  };
  const sources = [
    ...of('nq', right('nq-base', 20, 40), right('nq-sure', 29, 40, { method: 'sure' })),
    ...of('hp', right('hp-base', 20, 40), right('hp-sure', 21, 40, { method: 'sure' })),
    ...of('alone', right('tq-base', 20, 40)),
  ];
  const { comparisons, notes } = await evaluateRuns(sources);
  expect(comparisons).toMatchObject([
    { first: 1, second: 0, level: 0.05, finding: 'differs' },
    { first: 3, second: 2, level: 0.05, finding: 'noDifference' },
  ]);
  expect(notes).toEqual([
    'hp-base is the baseline of runs of another data set or noise than nq-base.',
    'tq-base was asked from another data set than nq-base and is not compared.',
  ]);
});

test('of a few questions nothing is called better, however graded and however clear', async () => {
  for (const count of [1, 2, 3, 5, 10, 19, 20]) {
    const graded = (run: string, method: ExampleRun['method'], f1: number) => {
      const answer = (id: string, i: number) => answerOf(id, 'answered', { f1: f1 + i / 100 });
      return runOf(run, numbered(count, answer, { answerKind: 'long' }), { method });
    };
    const evaluation = await evaluateRuns([graded('one', 'base', 0.7), graded('two', 'sure', 0.2)]);
    const [difference] = evaluation.comparisons;
    expect(difference?.finding).toBe(count < 20 ? 'tooFew' : 'differs');
    const page = dataSetsOf(evaluation)
      .map((data) => differenceTable(data)?.source ?? '')
      .join('');
    for (const [shown, name] of [
      [page, 'base'],
      [comparisonText(evaluation), 'one'],
    ] as const) {
      expect(shown.includes(`${name} is better`)).toBe(count >= 20);
      expect(shown.includes('too few questions of its kind to tell')).toBe(count < 20);
    }
  }
});

test('the same experiment twice is a null control, and what is no larger is noise', async () => {
  const a = right('a', 30, 40, { method: 'sure' });
  const b = right('b', 39, 40, { method: 'sure', input: { cache: false } });
  const c = right('c', 21, 40);
  const { comparisons, controls } = await evaluateRuns([a, b, c], { baseline: 'c' });
  expect(controls).toMatchObject([
    { first: 0, second: 1, metric: 'em', churn: 9 / 40, passed: false, level: 0.05 },
  ]);
  expect(controls[0]?.difference.mean).toBeCloseTo(-9 / 40, 12);
  expect(comparisons.map(({ first, second, finding }) => [first, second, finding])).toEqual([
    [0, 2, 'withinNoise'],
    [1, 2, 'differs'],
  ]);
});

test('runs without a question in common are not compared, and a note says so', async () => {
  const one = scored('one', '11');
  const two = runOf('two', [[questionOf('x'), answerOf('x', 'answered', { em: 1 })]]);
  const { comparisons, notes } = await evaluateRuns([one, two]);
  expect(comparisons).toEqual([]);
  expect(notes).toEqual(['one and two have no scored question in common and are not compared.']);
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
});

test('methods are compared under the same noise only', async () => {
  const run = (name: string, method: ExampleRun['method'], ratio: number, kind?: 'random') =>
    exampleRun({
      run: name,
      method,
      questions: 8,
      input: { noise: { ratio, ...(kind && { kind }) } },
    });
  const { comparisons } = await evaluateRuns([
    run('c-60', 'chainOfNote', 0.6),
    run('c-0', 'chainOfNote', 0),
    run('b-0', 'base', 0),
    run('r-0', 'chainOfNote', 0, 'random'),
    exampleRun({ run: 'plain', method: 'chainOfNote', questions: 8 }),
  ]);
  expect(new Set(comparisons.map(({ first, second }) => `${first} ${second}`))).toEqual(
    new Set(['2 1']),
  );
});

test('runs that differ in the form of their outputs are said to', async () => {
  const outputs = { default: 'text', read: 'schema' } as const;
  const runs = [right('one', 3, 4), right('two', 3, 4, { input: { outputs } })];
  expect((await evaluateRuns(runs)).notes).toEqual([
    'two and one differ in the form of their outputs (text, read schema; text).',
  ]);
});

test('a fork is compared without what it asks whole; a look is not compared at all', async () => {
  const calls = packCalls([
    { address: 'read-1', step: 'read', label: '', output: 'a', taken: true, events: [] },
  ]);
  const usage = (calls: number) => ({ usage: usageOf({ calls, costUsd: calls / 1000 }) });
  const isRight = (i: number) => ({ em: i < 20 ? 1 : 0 });
  const before = numbered(30, (id, i) =>
    answerOf(id, i === 29 ? 'failed' : 'answered', isRight(i), { result: usage(7) }),
  );
  const after = before.map(([question], i): Entry => {
    const isTaken = i !== 29;
    const answer = [0, 20, 21].includes(i) ? 'else' : 'something';
    const rest = {
      ...(isTaken && { calls }),
      result: { ...usage(isTaken ? 2 : 7), answer },
    };
    const em = i > 0 && (i < 22 || !isTaken) ? 1 : 0;
    return [
      { ...question, ...(isTaken && { taken: calls }) },
      answerOf(question.id, 'answered', { em }, rest),
    ];
  });
  const forked = (fork: object) => ({
    input: { fork: { run: 'p', at: 'read', ...fork }, models: { read: 'other' } },
  });
  const sources = [runOf('p', before), runOf('f', after, forked({}))];
  const { comparisons, forks } = await evaluateRuns(sources);
  expect(comparisons).toMatchObject([
    { first: 1, second: 0, questions: 29, rightOnly: { first: 2, second: 1 } },
  ]);
  expect(forks).toMatchObject([
    {
      ...{ fork: 1, parent: 0, questions: 29, taken: 29, look: false },
      ...{ changed: 3, toRight: 2, fromRight: 1 },
      ...{ took: { calls: 58 }, parentTook: { calls: 203 } },
      whole: { questions: 1, usage: { calls: 7 } },
    },
  ]);

  const look = runOf('look', after, forked({ where: 'wrong' }));
  const again = runOf('look-2', after, forked({ where: 'wrong' }));
  for (const runs of [
    [sources[0], look, again],
    [look, sources[0], again],
  ]) {
    const looked = await evaluateRuns(runs.filter((run) => run !== undefined));
    expect([looked.comparisons, looked.controls]).toEqual([[], []]);
    expect(looked.forks).toMatchObject([{ look: true, changed: 3 }, { look: true }]);
  }
  await expect(evaluateRuns([...sources, look], { baseline: 'look' })).rejects.toThrow(
    'baseline: must not be look',
  );
});
