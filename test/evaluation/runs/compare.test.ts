/** Runs against each other: comparisons, null controls, sweeps of noise. */
import { expect, test } from 'vitest';
import type { RunComparison } from '../../../evaluation/runs/compare.js';
import { comparisonJson } from '../../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { experimentKey } from '../../../evaluation/runs/run-identity.js';
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

const named = ({ pair }: RunComparison) => [pair.first.names.join(), pair.second.names.join()];

test('every run against the first, or the one named, corrected together', async () => {
  const sources = [
    right('one', 40, 60),
    right('two', 28, 60, { method: 'sure' }),
    right('three', 35, 60, { method: 'genread' }),
  ];
  const { comparisons, controls, notes } = await evaluateRuns(sources);
  expect(comparisons.map(named)).toEqual([
    ['two', 'one'],
    ['three', 'one'],
  ]);
  expect(comparisons).toMatchObject([
    { metric: 'em', rightOnly: { first: 0, second: 12 }, decision: 'worse', family: 2 },
    { metric: 'em', rightOnly: { first: 0, second: 5 } },
  ]);
  const [two, three] = comparisons;
  expect(two?.corrected).toBeCloseTo(2 * (two?.p ?? 0), 12);
  expect([two?.level, three?.level]).toEqual([0.05, 0.05]);
  expect([controls, notes]).toEqual([[], []]);
  const against = await evaluateRuns(sources, { baseline: 'three' });
  expect(against.comparisons.map(named)).toEqual([
    ['one', 'three'],
    ['two', 'three'],
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
    for (const { difference, corrected, p, level, decision } of (await evaluateRuns(sources))
      .comparisons) {
      const isFound = decision === 'better';
      expect(decision).toBe((corrected ?? 1) < 0.05 ? 'better' : 'noDifference');
      expect(difference.low > 0 || difference.high < 0).toBe(isFound);
      expect((p ?? 1) < level).toBe(isFound);
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

test('compared is the main metric of the most frequent kind, or what is asked for', async () => {
  const alone = await evaluateRuns(mixed([{ metrics: ['em'], count: 40, better: 9 }]));
  const [em] = alone.comparisons;
  expect(em).toMatchObject({ decision: 'better', level: 0.05 });
  expect(em?.corrected).toBe(em?.p);
  const kinds = mixed([
    { metrics: ['em', 'f1'], count: 40, better: 9 },
    { metrics: ['accuracy'], count: 1, better: 1 },
    { metrics: ['strEm', 'rougeLsum'], count: 30, better: 0 },
  ]);
  const usual = await evaluateRuns(kinds);
  expect(usual.comparisons).toMatchObject([{ metric: 'em', decision: 'better', family: 1 }]);
  expect(usual.comparisons[0]?.corrected).toBe(em?.p);
  // By names and by titles, in any case; one of too few questions takes no part in the correction.
  const metrics = ['EM', 'str-em', 'Acc'];
  const { comparisons } = await evaluateRuns(kinds, { metrics });
  expect(comparisons.map(({ metric, decision, family }) => [metric, decision, family])).toEqual([
    ['em', 'better', 2],
    ['accuracy', 'tooFew', 0],
    ['strEm', 'noDifference', 2],
  ]);
  expect(comparisons.map(({ corrected }) => corrected === null)).toEqual([false, true, false]);
  expect(comparisons[0]?.corrected).toBeCloseTo(2 * (em?.p ?? 1), 12);
  await expect(evaluateRuns(kinds, { metrics: ['em', 'f2'] })).rejects.toThrow(
    'metrics: no question has a score in "f2"; did you mean f1?',
  );
});

test('each data set has its own baseline, and all of them one family', async () => {
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
  expect(comparisons.map(named)).toEqual([
    ['nq-sure', 'nq-base'],
    ['hp-sure', 'hp-base'],
  ]);
  expect(comparisons).toMatchObject([
    { level: 0.05, family: 2, decision: 'better' },
    { level: 0.05, family: 2, decision: 'noDifference' },
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
    expect(difference?.decision).toBe(count < 20 ? 'tooFew' : 'worse');
    const page = dataSetsOf(evaluation)
      .map((data) => differenceTable(data)?.source ?? '')
      .join('');
    for (const [shown, name] of [
      [page, 'base'],
      [comparisonText(evaluation), 'one'],
    ] as const) {
      expect(shown.includes(`${name} is better`)).toBe(count >= 20);
      expect(shown.replaceAll(/\s+/g, ' ')).toMatch(
        count < 20 ? 'fewer than 20 questions, so nothing is concluded' : /better/,
      );
    }
  }
});

test('nothing is concluded by EM of answers of different forms, and the line says what fits both', async () => {
  const of = (run: string, em: number, hasAnswer: number, rest: Partial<ExampleRun>) => {
    const answer = (id: string, i: number) =>
      answerOf(id, 'answered', { em: Number(i < em), hasAnswer: Number(i < hasAnswer) });
    return runOf(run, numbered(100, answer), rest);
  };
  const short = of('short', 48, 48, {});
  const cited = of('cited', 0, 62, { method: 'llatrieval' });
  expect(cited.manifest.answerForm).toBe('prose');
  const text = comparisonText(await evaluateRuns([short, cited]), 1000);
  expect(text).toContain(
    'EM cannot compare these answers: cited answers in prose, short in a few words; Has answer can (metric hasAnswer)',
  );
  expect(text).not.toMatch(/ p [<\d]|is better/);
  const fitting = await evaluateRuns([short, cited], { metrics: ['hasAnswer'] });
  expect(fitting.comparisons).toMatchObject([{ decision: 'better' }]);
  expect(comparisonText(fitting, 1000)).toContain('cited is better');
});

test('what a study compares stands under the model and the data set that both sides have', async () => {
  const cell = (method: string, model: string, rights: number) => {
    const labels = { method, model, dataset: 'd', place: 0, repeat: 1 };
    const study = { name: 's', ...labels, baseline: 'base', comparisons: 2 };
    return right(`${method}-${model}`, rights, 40, {
      input: { study, models: { default: model } },
    });
  };
  const cells = ['small', 'large'].flatMap((model, i) => [
    cell('base', model, 20 + i),
    cell('sure', model, 29 + i),
  ]);
  const text = comparisonText(await evaluateRuns(cells), 1000);
  expect(text).toMatch(
    /^ {2}small:\n {4}sure minus base, EM: .+ right in sure only, .+ sure is better$/m,
  );
  expect(text).toMatch(/^ {2}large:\n {4}sure minus base, EM: /m);
  const { comparisons } = comparisonJson(await evaluateRuns(cells)) as { comparisons: object[] };
  expect(comparisons).toMatchObject([{ first: 'sure (small)', second: 'base (small)' }, {}]);
});

test('runs of one study are compared as it says, and cells that stopped early are named', async () => {
  const study = (method: string, more: object = {}) => ({
    study: {
      name: 's',
      method,
      dataset: 'd',
      model: 'm',
      place: 0,
      repeat: 1,
      baseline: 'two',
      comparisons: 2,
      ...more,
    },
  });
  const sources = (more?: object) => [
    right('one', 20, 40, { input: study('one', more) }),
    right('two', 29, 40, { input: study('two', more) }),
  ];
  const whole = await evaluateRuns(sources());
  expect(whole.comparisons.map(named)).toEqual([['one', 'two']]);
  // A comparison that is not at hand counts as well.
  expect(whole.comparisons[0]?.corrected).toBeCloseTo(2 * (whole.comparisons[0]?.p ?? 0), 12);
  expect(whole.notes).toEqual([
    '1 comparison of the study s is missing here, but included in the correction.',
  ]);
  const against = await evaluateRuns(sources(), { baseline: 'one' });
  expect(against.comparisons.map(named)).toEqual([['two', 'one']]);
  expect(against.comparisons[0]?.corrected).toBe(against.comparisons[0]?.p);

  const rule = {
    untilDecided: { delta: 0, alpha: 0.05, failures: 'wrong', about: 'questionsLikeThese' },
  };
  const stopped = [...sources({ ...rule, comparisons: 1 })].map((source, i) => ({
    ...source,
    // The last ten questions of both were never asked.
    answer: async (id: string) =>
      Number(id.slice(1)) < 30 ? answerOf(id, 'answered', { em: i }) : undefined,
  }));
  const decided = await evaluateRuns(stopped);
  expect(decided.comparisons).toMatchObject([{ decision: 'worse', sequential: { asked: 30 } }]);
  expect(decided.notes).toEqual([
    'one and two stopped when it was decided, after 30 of 40 questions: their means are biased away from no difference.',
  ]);
  await expect(evaluateRuns(stopped, { margin: 0.02 })).rejects.toThrow(
    'margin: cannot be used with s',
  );
});

test('the same experiment twice is a null control, and one cell that is compared', async () => {
  const a = right('a', 30, 40, { method: 'sure' });
  const b = right('b', 39, 40, { method: 'sure', input: { cache: false } });
  const c = right('c', 21, 40);
  const { comparisons, controls } = await evaluateRuns([a, b, c], { baseline: 'c' });
  expect(controls).toMatchObject([
    { first: 0, second: 1, metric: 'em', churn: 9 / 40, level: 0.05 },
  ]);
  expect(controls[0]?.difference.mean).toBeCloseTo(-9 / 40, 12);
  expect(comparisons.map(named)).toEqual([['a,b', 'c']]);
  // Of each question the mean of both runs: 34.5 of 40 less 21 of 40.
  expect(comparisons[0]?.difference.mean).toBeCloseTo(13.5 / 40, 12);
  expect(comparisons[0]).toMatchObject({ decision: 'better', questions: 40 });
});

test('runs without a question in common are not compared, and a note says so', async () => {
  const one = scored('one', '11');
  const entries: Entry[] = [[questionOf('x'), answerOf('x', 'answered', { em: 1 })]];
  const two = runOf('two', entries, { method: 'sure' });
  const { comparisons, notes } = await evaluateRuns([one, two]);
  expect(comparisons).toEqual([]);
  expect(notes).toEqual(['two and one have no scored question in common and are not compared.']);
});

test('what makes two runs the same experiment', () => {
  const base = manifestOf({ run: 'a', method: 'sure' });
  const input = { cache: false, concurrency: 3, seed: 1 };
  const same = { run: 'b', method: 'sure', input } as const;
  expect(experimentKey(manifestOf(same))).toBe(experimentKey(base));
  for (const other of [{ sampleSeed: 1 }, { options: { passages: 5 } }, { corpus: 'other' }]) {
    expect(experimentKey(manifestOf({ run: 'b', method: 'sure', input: other }))).not.toBe(
      experimentKey(base),
    );
  }
  expect(experimentKey({ ...base, models: { default: 'other' } })).not.toBe(experimentKey(base));
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
  expect(comparisons.map(named)).toEqual([['b-0', 'c-0']]);
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
  expect(comparisons).toMatchObject([{ questions: 29, rightOnly: { first: 2, second: 1 } }]);
  expect(forks).toMatchObject([
    {
      fork: 1,
      parent: 0,
      questions: 29,
      taken: 29,
      isChosen: false,
      changed: 3,
      toRight: 2,
      fromRight: 1,
      took: { calls: 58 },
      parentTook: { calls: 203 },
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
    expect(looked.forks).toMatchObject([{ isChosen: true, changed: 3 }, { isChosen: true }]);
  }
  const named = runOf('named', after, forked({ question: 'q1' }));
  for (const chosen of [look, named]) {
    const baseline = chosen.manifest.run;
    await expect(evaluateRuns([...sources, chosen], { baseline })).rejects.toThrow(
      `baseline: must not be ${baseline}, whose questions were chosen by their answers or by name`,
    );
  }
});
