/** What chains tell, from answers to tables, comparisons and slices. */
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { ChainMetricInfo } from '../../../core/run/run.js';
import { comparisonJson } from '../../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { type EvaluateOptions, evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { metricFigures } from '../../../evaluation/runs/run-figures.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { correlation } from '../../../evaluation/statistics/between-metrics.js';
import { meanInterval } from '../../../evaluation/statistics/score-interval.js';
import { longFormRows } from '../../../evaluation/study/long-form.js';
import { renderTable } from '../../../evaluation/study/render-table.js';
import { studyScores } from '../../../evaluation/study/study-scores.js';
import { studyTable } from '../../../evaluation/study/study-table.js';
import { dataSetsOf } from '../../../report/data-sets.js';
import { differenceTable, forestOf } from '../../../report/sections/differences.js';
import { allMetricsTable } from '../../../report/sections/scores.js';
import type { RunAnswer } from '../../../stores/runs/run-store.js';
import { answerOf, numbered, runOf } from '../../support/runs/answers.js';

interface Asked {
  em: number;
  told?: RunAnswer['chainScores'];
}

/** A run whose method tells iterations of at most so many, and whether a verification passed. */
function telling(
  name: string,
  most: number,
  questions: number,
  answer: (i: number) => Asked | 'failed',
): RunSource {
  const entries = numbered(questions, (id, i) => {
    const found = answer(i);
    if (found === 'failed') return answerOf(id, 'failed', { em: 0 });
    const { em, told } = found;
    return answerOf(id, 'answered', { em }, told && { chainScores: told });
  });
  const run = runOf(name, entries, {
    method: 'llatrieval',
    input: { options: { iterations: most } },
  });
  const told: ChainMetricInfo[] = [
    { name: 'verificationPassed', title: 'Verification passed' },
    { name: 'iterations', title: 'Iterations', range: { from: 0, to: most } },
    { name: 'documentsSeen', title: 'Documents seen', range: { from: 0, to: 50 * most } },
    { name: 'coverage@summaries', title: 'Answer coverage of summaries' },
  ];
  return { ...run, manifest: { ...run.manifest, chainMetrics: told } };
}

const plain = (name: string, isRight: (i: number) => boolean, method: 'base' | 'sure' = 'base') =>
  runOf(
    name,
    numbered(40, (id, i) => answerOf(id, 'answered', { em: Number(isRight(i)) })),
    { method },
  );

/** Passes in three of four questions at once, else after two rounds; every tenth question fails. */
const rounds = (name: string, most: number, questions = 40) =>
  telling(name, most, questions, (i) =>
    i % 10 === 9
      ? 'failed'
      : {
          em: Number(i % 2 === 0),
          told: {
            verificationPassed: Number(i % 4 !== 0),
            iterations: i % 4 === 0 ? 2 : 1,
            'coverage@summaries': { part: i % 2, whole: 1 + (i % 2) },
          },
        },
  );

/** Returns runs with all of their figures. */
async function evaluated(runs: readonly RunSource[], options: EvaluateOptions = {}) {
  const evaluation = await evaluateRuns(runs, options);
  const [first] = evaluation.runs;
  if (!first) throw new Error('There is no run.');
  return { ...evaluation, first };
}

it('is a mean over what did not fail, with an interval within its range', async () => {
  const { first } = await evaluated([rounds('r', 4)]);
  const iterations = metricFigures(first, 'iterations');
  // 10 of 36 took two rounds of at most four: 46 / 36.
  expect(iterations?.all).toMatchObject({ questions: 36 });
  expect(4 * (iterations?.all?.mean ?? 0)).toBeCloseTo(46 / 36, 12);
  expect(iterations?.answered).toEqual(iterations?.all);
  const passed = metricFigures(first, 'verificationPassed');
  expect(passed?.all?.mean).toBeCloseTo(26 / 36, 12);
  // Parts over wholes: 16 questions with 1 of 2, 20 with 0 of 1.
  expect(metricFigures(first, 'coverage@summaries')?.all?.mean).toBeCloseTo(16 / 52, 12);
  // The main metric stays that of the answers, and no headline is added.
  expect(first.metrics.filter(({ isHeadline }) => isHeadline).map(({ metric }) => metric)).toEqual([
    'em',
  ]);
});

it('stands in text, JSON and the report as the number that it is', async () => {
  const evaluation = await evaluated([rounds('r', 4), plain('b', (i) => i < 9)]);
  expect(comparisonText(evaluation)).toMatch(
    /Iterations +1\.28 \(1\.\d+ to 1\.\d+, n = 36 of 40\)/,
  );
  const { runs } = comparisonJson(evaluation) as { runs: { metrics: object }[] };
  expect(runs[0]?.metrics).toMatchObject({
    iterations: { group: 'chain', all: { mean: expect.closeTo(46 / 36, 12) } },
  });
  const [data] = dataSetsOf(evaluation);
  expect(data && allMetricsTable(data).source).toMatch(/Iterations \(number\)[\s\S]*<b>1\.28<\/b>/);
});

it('is compared on the same questions, whatever the options let it be at most', async () => {
  const slow = telling('slow', 4, 40, (i) => ({ em: 1, told: { iterations: i < 30 ? 3 : 2 } }));
  const fast = telling('fast', 2, 40, () => ({ em: 1, told: { iterations: 1 } }));
  const evaluation = await evaluated([fast, slow], { metrics: ['iterations'] });
  const [only] = evaluation.comparisons;
  // 30 questions with two more and 10 with one more, on the range to four.
  expect(only).toMatchObject({ questions: 40, range: { from: 0, to: 4 }, decision: 'better' });
  expect(4 * (only?.difference.mean ?? 0)).toBeCloseTo(1.75, 12);
  expect(only).not.toHaveProperty('rightOnly');
  const text = comparisonText(evaluation, 200);
  expect(text).toMatch(/Iterations: \+1\.75 \(\+1\.\d+ to \+2\.\d+ at 95 %\)/);
  expect(text).toContain('slow is higher');
  const { comparisons } = comparisonJson(evaluation) as { comparisons: object[] };
  expect(comparisons).toMatchObject([{ difference: { mean: expect.closeTo(1.75, 12) } }]);
  const [data] = dataSetsOf(evaluation);
  expect(data && differenceTable(data)?.source).toContain('<b>+1.75</b>');
  expect(data && forestOf(data)).toBeUndefined();
});

const cell = (method: string, run: string) => ({ method, dataset: 'nq', model: 'm', runs: [run] });
const study = {
  name: 's',
  baseline: 'base',
  metrics: ['em', 'iterations'],
  cells: [cell('base', 'b'), cell('fast', 'fast'), cell('slow', 'slow')],
};
const runs = [
  plain('b', (i) => i < 20),
  telling('fast', 2, 40, (i) => ({
    em: Number(i < 30),
    told: { verificationPassed: Number(i < 28), iterations: 1 },
  })),
  telling('slow', 4, 40, (i) => ({
    em: Number(i < 32),
    told: { verificationPassed: Number(i < 24), iterations: i < 24 ? 1 : 4 },
  })),
];
const open = async (name: string) => runs.find(({ manifest }) => manifest.run === name);

it('has a column of a study table in every format, empty where a method does not tell it', async () => {
  const scores = await studyScores(study, open);
  const table = studyTable(scores);
  expect(table.columns).toMatchObject([{ metric: 'em' }, { metric: 'iterations', unit: 'number' }]);
  expect(table.rows.map(({ cells: [, iterations] }) => iterations?.value)).toEqual([
    undefined,
    1,
    expect.closeTo(2.2, 12),
  ]);
  // More iterations are no better result.
  expect(table.rows.some(({ cells: [, iterations] }) => iterations?.isBest)).toBe(false);
  expect(renderTable(table, 'text')).toMatch(/base .* –\n/);
  expect(renderTable(table, 'latex')).toMatch(/slow & .* & 2\.2 \[/);
  const csv = parse(renderTable(table, 'csv'), { columns: true }) as Record<string, string>[];
  const line = csv.find(({ method, metric }) => method === 'slow' && metric === 'Iterations');
  expect(line).toMatchObject({ unit: 'number', best: 'false' });
  expect(Number(line?.value)).toBeCloseTo(2.2, 12);
  const lines = [];
  for await (const one of longFormRows(scores)) lines.push(one);
  expect(lines.filter(({ run }) => run === 'slow').at(-1)?.scores).toMatchObject({ iterations: 4 });
});

it('puts questions into slices: of what all that tell it agree on, else "differs"', async () => {
  const scores = await studyScores(study, open, { by: 'verificationPassed' });
  const table = studyTable(scores);
  expect(table.by).toBe('verificationPassed');
  const shown = table.rows.map(({ slice, method, cells: [em] }) => [slice, method, em?.questions]);
  expect(shown).toEqual(
    [
      ['differs', 4],
      ['no', 12],
      ['yes', 24],
    ].flatMap(([slice, n]) => ['base', 'fast', 'slow'].map((method) => [slice, method, n])),
  );
  const { comparisons } = await evaluated([runs[0], runs[1]] as RunSource[], {
    by: 'Verification passed',
    metrics: ['em'],
  });
  // The run that does not tell it is sliced as the other one: 20 and 28 of the 28 that passed.
  expect(comparisons.map(({ slice, difference }) => [slice?.value, difference.mean])).toEqual([
    ['no', expect.closeTo(2 / 12, 12)],
    ['yes', expect.closeTo(8 / 28, 12)],
  ]);
});

it('puts questions into slices by a score: "yes" are those that all runs have right', async () => {
  const { slices } = await evaluated(
    [plain('a', (i) => i < 30), plain('b', (i) => i >= 10, 'sure')],
    {
      by: 'em',
    },
  );
  expect(
    slices.map(({ title, runs: [first] }) => [title, first?.metrics[0]?.mean.questions]),
  ).toEqual([
    ['em differs', 20],
    ['em yes', 20],
  ]);
});

it('tells those that reach each value of a metric, in every column, and compares nothing', async () => {
  const scores = await studyScores(study, open, { above: { metric: 'iterations' } });
  expect(scores.comparisons).toEqual([]);
  const table = studyTable(scores);
  expect(table.by).toBe('iterations from');
  const shown = table.rows.map(({ slice, method, cells: [em] }) => [
    slice,
    method,
    em?.questions,
    em?.value,
  ]);
  // The run that does not tell it has no rows.
  expect(shown).toEqual([
    ['1', 'fast', 40, 30 / 40],
    ['1', 'slow', 40, 32 / 40],
    ['4', 'slow', 16, 8 / 16],
  ]);
  const { low, high } = meanInterval([...Array(16).keys()].map((i) => Number(i < 8)));
  expect(table.rows[2]?.cells[0]).toMatchObject({ value: 0.5, low, high });
  expect(table.notes.join(' ')).toContain('are not tested');
  // A share is held against per cent, however it is rounded; a value that nobody reaches has no row.
  const graded = telling('slow', 4, 40, (i) => ({ em: 1, told: { 'coverage@summaries': i / 40 } }));
  const asked = { metric: 'Answer coverage of summaries', values: [57.5, 0, 100] };
  const { slices } = await studyScores(
    study,
    async (name) => (name === 'slow' ? graded : undefined),
    {
      above: asked,
    },
  );
  expect(slices.map(({ slice, order }) => [slice.value, order.length])).toEqual([
    ['0', 40],
    ['57.5', 17],
  ]);
});

it('correlates what is shown with another metric, over the questions of each cell', async () => {
  const table = studyTable(await studyScores(study, open), { metric: 'em' }, 'Iterations');
  expect(table.columns).toMatchObject([{ title: 'r of EM and Iterations', unit: 'number' }]);
  const [base, fast, slow] = table.rows.map(({ cells: [one] }) => one);
  // One does not tell it, and of one it is the same for all.
  expect([base, fast]).toEqual([undefined, undefined]);
  const em = new Map([...Array(40).keys()].map((i) => [`${i}`, Number(i < 32)]));
  const rounds = new Map([...Array(40).keys()].map((i) => [`${i}`, i < 24 ? 1 : 4]));
  const { r, low, high } = correlation(em, rounds) ?? {};
  expect(slow).toMatchObject({ value: r, low, high, questions: 40, isBest: false });
  expect(renderTable(table, 'markdown')).toMatch(/slow \| .* \| -0\.61 \[-0\.78, -0\.37\] \|/);
  expect(() => studyTable({ study, cells: [], slices: [] } as never, 'cost', 'em')).toThrow(
    'correlate: needs scores',
  );
});

it('tells how often each question was searched for', async () => {
  const table = studyTable(await studyScores(study, open), 'searches');
  expect(table.rows.map(({ cells: [one] }) => one?.value)).toEqual([0, 0, 0]);
});

it('refuses what is neither a field nor a metric, and a metric of too many values', async () => {
  await expect(evaluated([rounds('r', 4)], { by: 'iteration' })).rejects.toThrow(
    'by: no question has a field or metric "iteration"; did you mean iterations?',
  );
  const graded = telling('g', 4, 80, (i) => ({ em: 1, told: { documentsSeen: i } }));
  await expect(evaluated([graded], { by: 'documentsSeen' })).rejects.toThrow(
    '"documentsSeen" has 80 values, and a table has at most 50 slices',
  );
  const above = (metric: string, by?: string) =>
    studyScores(study, async () => graded, { by, above: { metric } });
  await expect(above('documentsSeen')).rejects.toThrow('above: "documentsSeen" has 80 values');
  await expect(above('iteration')).rejects.toThrow('no question has a score in "iteration"');
  await expect(above('em', 'em')).rejects.toThrow('above: cannot be combined with "by"');
});
