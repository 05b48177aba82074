/** How a bad layout of a paper's table is refused, by the field. */
import { expect, it } from 'vitest';
import {
  type CellSource,
  cellSources,
  parsePaperTable,
} from '../../../evaluation/papers/paper-table.js';

const table = (more: object = {}) => ({
  title: 'methods on two data sets',
  made: 'yes',
  columns: [
    { group: 'A', title: 'EM', dataset: 'a', metric: 'em' },
    { group: 'B', title: 'EM', dataset: 'b', metric: 'em' },
    { title: 'Mean', mean: ['A EM', 'B EM'] },
  ],
  rows: [
    { title: 'one', method: 'base', figures: [1, null, 2.5] },
    { title: 'two', method: 'sure', methodSuffix: '-3', figures: [[3, 2, 4], 3, 3] },
  ],
  ...more,
});

it('says what each cell is made of', () => {
  const sources = cellSources(parsePaperTable(table()));
  const ofSure = ['a', 'b'].map((dataset) => ({
    of: 'study',
    place: {
      method: 'sure-3',
      dataset,
      model: undefined,
      slice: undefined,
      shows: { metric: 'em' },
    },
  }));
  expect(sources[1]).toEqual([...ofSure, { of: 'mean', over: ofSure }]);
  const rows = [{ title: 'one', unmade: 'no such index', figures: [1, 2, 3] }];
  expect(cellSources(parsePaperTable(table({ rows })))[0]?.[0]).toEqual({
    of: 'nothing',
    why: 'no such index',
  });
});

it('takes a slice, another metric, and a heading that is not made', () => {
  const rows = [
    {
      title: 'one',
      method: 'base',
      slice: 'yes',
      metrics: { em: 'oracleEm' },
      unmadeIn: { B: 'no corpus' },
      figures: [1, 2, 3],
    },
  ];
  const [[first, second] = []] = cellSources(parsePaperTable(table({ by: 'passed', rows })));
  expect(first).toMatchObject({ place: { slice: 'yes', shows: { metric: 'oracleEm' } } });
  expect(second).toEqual({ of: 'nothing', why: 'no corpus' });
});

it('takes the mean of several draws, also within another mean', () => {
  const columns = [
    { title: 'once', dataset: 'a', metric: 'em', methodSuffix: ['-1', '-2'] },
    { title: 'r', dataset: 'a', metric: 'em', correlate: 'f1', slice: '5' },
  ];
  const rows = [
    { title: 'one', method: 'base', figures: [1, null] },
    { title: 'two', method: 'sure', figures: [2, null] },
    { title: 'both', mean: ['one', 'two'], figures: [1.5, null] },
  ];
  const sources = cellSources(parsePaperTable(table({ above: 'f1', columns, rows })));
  const names = (source: CellSource | undefined): unknown =>
    source?.of === 'mean' ? source.over.map(names) : source?.of === 'study' && source.place.method;
  expect(sources.map(([first]) => names(first))).toEqual([
    ['base-1', 'base-2'],
    ['sure-1', 'sure-2'],
    [
      ['base-1', 'base-2'],
      ['sure-1', 'sure-2'],
    ],
  ]);
  expect(sources[0]?.[1]).toMatchObject({
    place: { method: 'base', slice: '5', shows: { metric: 'em', correlate: 'f1' } },
  });
});

const column = (more: object) => ({ columns: [{ title: 'EM', ...more }] });
const row = (more: object) => ({ rows: [{ title: 'one', method: 'base', ...more }] });

it.each<[object, string]>([
  [row({ slice: 'yes', figures: [1, 2, 3] }), 'rows.0.slice: needs "by"'],
  [
    { above: 'em', ...row({ slice: 'yes', figures: [1, 2, 3] }) },
    'rows.0.slice: must be a number with "above"',
  ],
  [{ above: 'em', by: 'passed' }, 'above: cannot be combined with "by"'],
  [
    row({ unmadeIn: { C: 'no index' }, figures: [1, 2, 3] }),
    'rows.0.unmadeIn.C: is not the heading of a column: A, B, Mean',
  ],
  [{ titel: 'x' }, 'titel: there is no such field'],
  [{ made: 'maybe' }, 'made: must be one of yes, partly, no, not "maybe"'],
  [{ made: 'partly' }, 'lacks: is missing; it must explain why made is "partly"'],
  [{ made: 'no', lacks: ['people'] }, 'nearest: is missing; it must name the nearest alternative'],
  [{ columns: [] }, 'columns: is missing'],
  [row({ figures: [1, 2] }), 'rows.0.figures: must have 3 figures, one for each column, not 2'],
  [row({}), 'rows.0.figures: is missing; if the table has no figures, noFigures must'],
  [row({ figures: [[5, 6, 7], 1, 1] }), 'rows.0.figures.0: must be [figure, lower end'],
  [{ noFigures: 'curves' }, 'rows.0.figures: cannot be combined with noFigures'],
  [
    row({ method: undefined, figures: [1, 2, 3] }),
    'rows.0: neither row nor column gives the method',
  ],
  [
    { ...column({ metric: 'em' }), ...row({ figures: [1] }) },
    'rows.0: neither row nor column gives the dataset of "EM"',
  ],
  [
    { ...column({ dataset: 'a' }), ...row({ figures: [1] }) },
    'rows.0: neither row nor column gives the metric of "EM"',
  ],
  [column({ mean: ['x', 'EM'] }), 'columns.0.mean.0: "x" is not one of the columns: EM'],
  [column({ mean: ['EM', 'EM'] }), 'columns.0.mean.0: "EM" is a mean itself'],
  [
    { columns: [table().columns[0], table().columns[0]] },
    'columns.1.title: is "A EM", which is the name of another one',
  ],
])('refuses %j', (more, message) => {
  expect(() => parsePaperTable(table(more))).toThrow(message);
});
