/** A paper's table made again, of made-up figures. */
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { NO_USAGE } from '../../../core/usage.js';
import { reproducedTable } from '../../../evaluation/papers/made-table.js';
import { parsePaperTable } from '../../../evaluation/papers/paper-table.js';
import { renderReproduced } from '../../../evaluation/papers/render-made.js';
import { meanInterval, sumInterval } from '../../../evaluation/statistics/score-interval.js';
import type { CellFigures } from '../../../evaluation/study/cell-figures.js';
import { cellOf } from '../../support/cells.js';

/** A cell of 100 questions, of which it has so many right from a place on. */
function cell(method: string, dataset: string, right: number, from = 0): CellFigures {
  const scores = Array.from({ length: 100 }, (_, i) => Number(i >= from && i < from + right));
  const compared = cellOf({ em: scores }, { data: dataset });
  const usage = {
    ...NO_USAGE,
    calls: 300,
    cachedCalls: 100,
    promptTokens: 1800,
    completionTokens: 200,
  };
  return {
    ...compared,
    method,
    dataset,
    model: 'm',
    metrics: compared.metrics.map((one) => ({
      ...one,
      mean: meanInterval(scores),
      questions: 100,
    })),
    answers: 100,
    planned: 100,
    usage,
    costUsd: 0.01,
    searches: 2,
    figures: [{ rejectRate: 0.25 }],
  } as unknown as CellFigures;
}

const columns = [
  { title: 'A', dataset: 'a', metric: 'em' },
  { title: 'B', dataset: 'b', metric: 'em' },
  { title: 'Mean', mean: ['A', 'B'] },
];
const layout = (rows: object[], more: object = {}) =>
  parsePaperTable({ title: 'made up', made: 'yes', columns, rows, ...more });
const made = (rows: object[], cells: CellFigures[], more?: object) =>
  reproducedTable(layout(rows, more), {
    paper: 'Made',
    name: 'table 1',
    study: 's',
    cells,
    modelFor: (theirs = 'm') => (theirs === 'm' ? 'm' : undefined),
  });

it('adds what errs apart, by the squares', () => {
  const half = { mean: 50, low: 40, high: 62 };
  const sum = sumInterval([
    { ...half, weight: 1 },
    { mean: 30, low: 27, high: 34, weight: -1 },
  ]);
  expect(sum.mean).toBe(20);
  expect(sum.low).toBeCloseTo(20 - Math.hypot(10, 4), 12);
  expect(sum.high).toBeCloseTo(20 + Math.hypot(12, 3), 12);
  const certain = sumInterval([
    { ...half, weight: 1 },
    { mean: 30, low: 30, high: 30, weight: -1 },
  ]);
  expect(certain).toEqual({ mean: 20, low: 10, high: 32 });
  const mean = sumInterval([half, half, half, half].map((one) => ({ ...one, weight: 1 / 4 })));
  expect([mean.low, mean.high]).toEqual([50 - 5, 50 + 6]);
});

it('puts ours with its interval and the difference below theirs', () => {
  const [row] = made(
    [{ title: 'one', method: 'one', figures: [33.5, [30, 25, 36], 31.75] }],
    [cell('one', 'a', 40), cell('one', 'b', 40)],
  ).rows;
  const [a, b, mean] = row?.cells ?? [];
  const { low, high } = meanInterval(Array.from({ length: 100 }, (_, i) => Number(i < 40)));
  expect(a).toMatchObject({ theirs: { value: 33.5 }, questions: 100 });
  expect(a?.ours).toEqual({ value: 40, low: 100 * low, high: 100 * high });
  expect(a?.difference).toEqual({ value: 6.5, low: 100 * low - 33.5, high: 100 * high - 33.5 });
  // The paper's interval counts as well.
  expect(b?.difference?.value).toBe(10);
  expect(b?.difference?.low).toBeCloseTo(10 - Math.hypot(40 - 100 * low, 6), 10);
  expect(b?.difference?.high).toBeCloseTo(10 + Math.hypot(100 * high - 40, 5), 10);
  expect(mean?.ours?.value).toBe(40);
  expect((mean?.ours?.high ?? 0) - 40).toBeCloseTo((100 * high - 40) / Math.SQRT2, 10);
});

it('counts a question with its mean over cells of the same data set', () => {
  const prompts = [1, 2, 3].map((n) => ({ title: `(${n})`, dataset: 'a', metric: 'em' }));
  const mean = { title: 'avg.', mean: ['(1)', '(2)', '(3)'] };
  const shown = [...prompts.map((one, i) => ({ ...one, methodSuffix: `${i}` })), mean];
  const rows = [{ title: 'one', method: 'one', figures: [1, 2, 3, 2] }];
  const alike = made(
    rows,
    [0, 1, 2].map((i) => cell(`one${i}`, 'a', 40)),
    { columns: shown },
  ).rows[0]?.cells;
  // The same answers three times are no more questions.
  expect(alike?.[3]?.ours).toEqual(alike?.[0]?.ours);
  const others = made(
    rows,
    [0, 1, 2].map((i) => cell(`one${i}`, 'a', 30, 30 * i)),
    { columns: shown },
  ).rows[0]?.cells;
  expect(others?.[3]?.ours?.value).toBeCloseTo(30, 10);
  const width = ({ low = 0, high = 0 }: { low?: number; high?: number } = {}) => high - low;
  expect(width(others?.[3]?.ours ?? {})).toBeLessThan(width(others?.[0]?.ours ?? {}));
});

it('takes the mean of draws as one of the questions, and correlates what it is told to', () => {
  const shown = [
    { title: 'EM', dataset: 'a', metric: 'em', methodSuffix: ['-1', '-2'] },
    { title: 'r', dataset: 'a', metric: 'em', methodSuffix: '-1', correlate: 'em' },
    { title: 'r of none', dataset: 'a', metric: 'em', methodSuffix: '-1', correlate: 'f1' },
    { title: 'Num', dataset: 'a', shows: 'questions', methodSuffix: '-1' },
  ];
  const table = made(
    [{ title: 'one', method: 'one', figures: [30, null, null, null] }],
    [cell('one-1', 'a', 40), cell('one-2', 'a', 40, 60)],
    { columns: shown },
  );
  const [em, r, none] = table.rows[0]?.cells ?? [];
  const halves = meanInterval(Array.from({ length: 100 }, (_, i) => (i < 40 || i >= 60 ? 0.5 : 0)));
  expect(em?.ours).toEqual({
    value: 100 * halves.mean,
    low: 100 * halves.low,
    high: 100 * halves.high,
  });
  expect(r).toMatchObject({ ours: { value: 1 }, questions: 100, difference: null });
  expect(none?.why).toBe('has no correlation with f1');
  expect(table.columns.map(({ digits }) => digits)).toEqual([0, 2, 2, 0]);
  expect(table.order).toEqual([]);
});

it('shows effort as it is, and the share of unknown', () => {
  const shown = [
    { title: 'calls', dataset: 'a', shows: 'calls' },
    { title: 'tokens', dataset: 'a', shows: 'tokens' },
    { title: 'a call', dataset: 'a', shows: 'tokensPerCall' },
    { title: 'cost', dataset: 'a', shows: 'costUsd', per: 500 },
    { title: 'unknown', dataset: 'a', shows: 'rejectRate' },
    { title: 'searches', dataset: 'a', shows: 'searches' },
  ];
  const [row] = made(
    [{ title: 'one', method: 'one', figures: [19, 290, 100, 1.57, 6.07, 5] }],
    [cell('one', 'a', 40)],
    { columns: shown },
  ).rows;
  // Of 3 calls 2 were paid for, with 10 tokens each.
  expect(row?.cells.map(({ ours }) => ours?.value)).toEqual([3, 30, 10, 5, 25, 2]);
  expect(row?.cells.map(({ difference }) => difference?.low)).toEqual(Array(6).fill(undefined));
});

it('reads slices, and orders what is of the same slice alone', () => {
  const rows = [
    { title: 'all', method: 'one', figures: [100, 30] },
    { title: 'passed', method: 'one', slice: 'yes', figures: [80, 35] },
    { title: 'other, passed', method: 'two', slice: 'yes', figures: [80, 36] },
    { title: 'failed', method: 'one', slice: 'no', figures: [20, 10] },
  ];
  const shown = [
    { title: 'Num', dataset: 'a', shows: 'questions' },
    { title: 'EM', dataset: 'a', metric: 'em' },
  ];
  const slice = (whole: CellFigures) => ({ ...whole, whole, slice: { field: 'p', value: 'yes' } });
  const table = reproducedTable(layout(rows, { columns: shown, by: 'p' }), {
    paper: 'Made',
    name: 'table 1',
    study: 's',
    cells: [cell('one', 'a', 40), cell('two', 'a', 40)],
    slices: [slice(cell('one', 'a', 90)), slice(cell('two', 'a', 10))],
    modelFor: () => 'm',
  });
  const ours = table.rows.map(({ cells }) => cells.map((one) => one.ours?.value));
  expect(ours).toEqual([
    [100, 40],
    [100, 90],
    [100, 10],
    [undefined, undefined],
  ]);
  expect(table.rows[3]?.cells[0]?.why).toBe('no question is in this slice');
  // How many are asked is no result.
  expect(table.rows.map(({ cells }) => cells[0]?.difference)).toEqual(Array(4).fill(null));
  expect(table.notes).toContain(
    'Numbers of questions have no difference, since a sample has fewer.',
  );
  expect(renderReproduced(table, 'text')).toMatch(/^all +100 +30\n +ours +100 +40 \[/m);
  expect(table.order).toEqual([
    expect.stringContaining(
      "EM: the order is not the paper's: passed minus other, passed is +80.0",
    ),
  ]);
});

it('shows ours alone where the paper draws curves', () => {
  const table = made(
    [{ title: 'one', method: 'one' }],
    [cell('one', 'a', 40), cell('one', 'b', 30)],
    {
      noFigures: 'the paper draws curves',
    },
  );
  const text = renderReproduced(table, 'text');
  expect(text).toMatch(/^one +40\.0 \[30\.\d, 49\.\d\] +30\.0 \[/m);
  expect(text).not.toMatch(/ours|difference/);
  expect(renderReproduced(table, 'markdown').match(/^\|/gm)).toHaveLength(3);
});

it('says why there is none of ours', () => {
  const rows = [
    { title: 'one', unmade: 'no index', figures: [1, 2, 3] },
    { title: 'two', method: 'two', model: 'gpt', figures: [1, 2, 3] },
    { title: 'three', method: 'three', figures: [1, null, null] },
  ];
  const table = made(rows, [cell('three', 'a', 30)]);
  expect(table.rows.map(({ cells }) => cells.map(({ why }) => why))).toEqual([
    ['no index', 'no index', 'no index'],
    ['gpt was not asked', 'gpt was not asked', undefined],
    [undefined, undefined, undefined],
  ]);
  const text = renderReproduced(table, 'text');
  expect(text).toContain('No figure of ours for one, A; one, B; one, Mean: no index.');
});

/** Figures of the paper and right answers of ours, of three methods on one data set. */
const order = (theirs: readonly unknown[], ours: readonly [right: number, from?: number][]) => {
  const rows = theirs.map((figure, i) => ({ title: `m${i}`, method: `m${i}`, figures: [figure] }));
  const cells = ours.map(([right, from], i) => cell(`m${i}`, 'a', right, from));
  return made(rows, cells, { columns: columns.slice(0, 1) }).order;
};

it.each<[string, readonly unknown[], readonly [number, number?][], string]>([
  [
    'all as in the paper',
    [10, 20, 30],
    [[10], [50], [90]],
    "A: the order is the paper's, in all 3 pairs.",
  ],
  [
    'some too close to tell',
    [10, 20, 30],
    [[40], [42, 30], [90]],
    "A: not decided whether the order is the paper's: 2 of 3 pairs as in the paper, 1 is not decided.",
  ],
  [
    'one the other way',
    [10, 20, 30],
    [[50], [10], [90]],
    "A: the order is not the paper's: m0 minus m1 is +40.0 (",
  ],
  [
    "a figure that is the paper's for both",
    [20, 20, 30],
    [[10], [50], [90]],
    "A: the order is the paper's, in all 2 pairs.",
  ],
  [
    "intervals of the paper's that meet",
    [
      [20, 15, 26],
      [25, 19, 31],
      [60, 50, 70],
    ],
    [[50], [10], [90]],
    "A: the order is the paper's, in all 2 pairs.",
  ],
  [
    'nothing that the paper decides',
    [
      [20, 15, 26],
      [25, 19, 31],
      [26, 20, 31],
    ],
    [[50], [10], [90]],
    "A: the paper's figures decide no order.",
  ],
])('the order, with %s', (_, theirs, ours, said) => {
  const [finding, ...others] = order(theirs, ours);
  expect(finding).toContain(said);
  expect(others).toEqual([]);
});

it('says nothing of an order from fewer than 20 questions', () => {
  const few = (method: string, right: number) => {
    const scores = Array.from({ length: 5 }, (_, i) => Number(i < right));
    const compared = cellOf({ em: scores }, { data: 'a' });
    const metrics = compared.metrics.map((one) => ({ ...one, mean: meanInterval(scores) }));
    return { ...cell(method, 'a', 1), ...compared, metrics } as unknown as CellFigures;
  };
  const rows = [
    { title: 'one', method: 'one', figures: [10] },
    { title: 'two', method: 'two', figures: [90] },
  ];
  const { order } = made(rows, [few('one', 0), few('two', 5)], { columns: columns.slice(0, 1) });
  expect(order).toEqual([
    "A: not decided whether the order is the paper's: 0 of 1 pair as in the paper, 1 is not decided.",
  ]);
});

it('names what stands in columns by these, if the rows are data sets', () => {
  const byMethod = ['one', 'two'].map((method) => ({ title: method, method, metric: 'em' }));
  const { order } = made(
    [{ title: 'A', dataset: 'a', figures: [10, 20] }],
    [cell('one', 'a', 90), cell('two', 'a', 10)],
    { columns: byMethod },
  );
  expect(order[0]).toContain("A: the order is not the paper's: one minus two is +80.0 (");
});

it('is written in every format', () => {
  const table = made(
    [{ title: 'SuRe & co', method: 'one', figures: [33.55, 30, null] }],
    [cell('one', 'a', 20), cell('one', 'b', 40)],
  );
  expect(renderReproduced(table, 'text').split('\n').slice(0, 5)).toEqual([
    'Made, table 1: made up.',
    '',
    expect.stringMatching(/^ +A +B +Mean$/),
    expect.stringMatching(/^SuRe & co +33\.55 +30 +–$/),
    expect.stringMatching(/^ {2}ours +20\.00 \[13\.3\d, 28\.8\d\] /),
  ]);
  expect(renderReproduced(table, 'markdown')).toContain('| difference | −13.55 \\[');
  const latex = renderReproduced(table, 'latex');
  expect(latex).toContain('SuRe \\& co & 33.55 & 30 & -- \\\\');
  expect(latex).toContain('\\quad difference & $-$13.55 [');
  expect(latex).toContain('\\label{tab:Made-table-1}');
  const [first, , last] = parse(renderReproduced(table, 'csv'), { columns: true }) as Record<
    string,
    string
  >[];
  expect(first).toMatchObject({ row: 'SuRe & co', column: 'A', theirs: '33.55', questions: '100' });
  expect([last?.theirs, last?.ours, last?.difference]).toEqual(['', '30', '']);
  expect(JSON.parse(renderReproduced(table, 'json'))).toEqual(JSON.parse(JSON.stringify(table)));
});
