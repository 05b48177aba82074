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
