/**
 * Reads a paper's table from a file of papers/: its layout, and the figures that the paper prints.
 * Pure.
 */
import { z } from 'zod';
import { parsedBy } from '../../core/options/checked.js';
import type { Problem } from '../../core/options/problems.js';
import { nonEmpty } from '../../core/options/ranges.js';

/** Figures that a cell can show instead of a score: effort, reject rate or number of questions. */
const OTHERS = [
  'calls',
  'searches',
  'tokens',
  'tokensPerCall',
  'costUsd',
  'seconds',
  'rejectRate',
  'questions',
] as const;

/**
 * Fields that name the cell of the study that a row or column shows. A field that a row omits is
 * the column's.
 */
const place = {
  method: nonEmpty.optional().describe('name of the method in the study'),
  methodSuffix: z
    .union([nonEmpty, z.array(nonEmpty).min(2)])
    .optional()
    .describe('suffix of the name that the other line gives; for several, their mean'),
  dataset: nonEmpty.optional().describe('name of the data set in the study'),
  datasetSuffix: nonEmpty.optional().describe('suffix of the name that the other line gives'),
  model: nonEmpty
    .optional()
    .describe('model of the paper, as the study names it; by default its first one'),
  metric: nonEmpty.optional().describe('metric to show'),
  metrics: z
    .record(z.string(), nonEmpty)
    .optional()
    .describe('metrics to show instead of those that the other line names'),
  correlate: nonEmpty.optional().describe('metric to correlate the shown one with, over questions'),
  slice: nonEmpty
    .optional()
    .describe('slice of "by", or threshold of "above"; by default all questions'),
  shows: z.enum(OTHERS).optional().describe('figure to show instead of a metric'),
  per: z
    .int()
    .min(1)
    .optional()
    .describe('number of questions that the figure is for; by default 1'),
  mean: z
    .array(nonEmpty)
    .min(2)
    .optional()
    .describe('names of the columns (or, in a row, of the rows) to average'),
  unmade: nonEmpty.optional().describe('why it cannot be reproduced'),
  unmadeIn: z
    .record(z.string(), nonEmpty)
    .optional()
    .describe('for a row: why it cannot be reproduced in the columns below a heading'),
};

const named = {
  group: nonEmpty.optional().describe('heading above it'),
  title: nonEmpty.describe('its name in the table'),
};

const figure = z
  .union([z.number(), z.tuple([z.number(), z.number(), z.number()]), z.null()])
  .describe('figure of the paper, alone or with both ends of its interval; null if it has none');

const paperTable = z.strictObject({
  title: nonEmpty.describe('what the table compares'),
  made: z.enum(['yes', 'partly', 'no']).describe('whether it can be reproduced'),
  lacks: z
    .array(nonEmpty)
    .min(1)
    .optional()
    .describe('what is missing here or different from the paper'),
  nearest: nonEmpty.optional().describe('nearest alternative, if it cannot be reproduced'),
  asked: nonEmpty.optional().describe('setup of the paper: model, search, passages'),
  noFigures: nonEmpty.optional().describe('why there are no figures of the paper'),
  by: nonEmpty.optional().describe('field or metric whose values are the slices'),
  above: nonEmpty
    .optional()
    .describe('metric, instead of "by": a slice has the questions that reach a threshold'),
  unit: z.enum(['percent', 'plain']).default('percent').describe('unit of its figures'),
  columns: z.array(z.strictObject({ ...named, ...place })).default([]),
  rows: z
    .array(z.strictObject({ ...named, ...place, figures: z.array(figure).optional() }))
    .default([]),
});

/**
 * A table or figure of a paper, as a file of papers/ declares it: its rows, its columns and the
 * paper's figures.
 */
export type PaperTable = z.output<typeof paperTable>;
type Line = PaperTable['columns'][number];

/** Returns the name of a row or column, with the heading above it if there is one: "NQ EM". */
export function lineName({ group, title }: Pick<Line, 'group' | 'title'>): string {
  return group === undefined ? title : `${group} ${title}`;
}

/**
 * The source of a figure in a table of a paper: the labels of a cell of the study, and which of
 * its figures.
 */
export interface CellPlace {
  method: string;
  dataset: string;
  /** Model of the paper; undefined for the first model of the study. */
  model: string | undefined;
  /** Slice of the questions; undefined for all questions. */
  slice: string | undefined;
  /**
   * A metric, alone or correlated with another one; or a figure of another kind, for `per`
   * questions.
   */
  shows: { metric: string; correlate?: string } | { other: (typeof OTHERS)[number]; per: number };
}

/**
 * The source of our figure in a cell of a table: a cell of the study, the mean of other sources,
 * or nothing, with the reason.
 */
export type CellSource =
  | { of: 'study'; place: CellPlace }
  | { of: 'mean'; over: readonly CellSource[] }
  | { of: 'nothing'; why: string };

/**
 * Returns the sources of a table's cells: an array of rows, each with one source for each column.
 *
 * @throws Error for a cell that does not fully name a cell of a study; `parsePaperTable` refuses
 * such a table unless its `made` is "no".
 */
export function cellSources({ rows, columns }: PaperTable): CellSource[][] {
  const sourceOf = (row: Line, column: Line): CellSource => {
    const why = whyUnmade(row, column);
    if (why !== undefined) return { of: 'nothing', why };
    if (row.mean) {
      return { of: 'mean', over: linesNamed(rows, row.mean).map((one) => sourceOf(one, column)) };
    }
    if (column.mean) {
      return {
        of: 'mean',
        over: linesNamed(columns, column.mean).map((one) => sourceOf(row, one)),
      };
    }
    const found = placesOf(row, column);
    if ('open' in found) throw new Error(`A cell of the table has no ${found.open}.`);
    const [first, ...others] = found;
    return others.length === 0
      ? { of: 'study', place: first }
      : { of: 'mean', over: found.map((place) => ({ of: 'study', place })) };
  };
  return rows.map((row) => columns.map((column) => sourceOf(row, column)));
}

function whyUnmade(row: Line, column: Line): string | undefined {
  return row.unmade ?? column.unmade ?? row.unmadeIn?.[column.group ?? column.title];
}

function linesNamed(lines: readonly Line[], names: readonly string[]): Line[] {
  return names.flatMap((name) => lines.find((line) => lineName(line) === name) ?? []);
}

/**
 * Returns the places over which a cell is a mean, usually one; or the name of the field that
 * neither row nor column has.
 */
function placesOf(row: Line, column: Line): [CellPlace, ...CellPlace[]] | { open: string } {
  const fieldOf = <F extends keyof Line>(field: F): Line[F] => row[field] ?? column[field];
  const [method, dataset, metric, other] = [
    fieldOf('method'),
    fieldOf('dataset'),
    fieldOf('metric'),
    fieldOf('shows'),
  ];
  if (method === undefined) return { open: 'method' };
  if (dataset === undefined) return { open: 'dataset' };
  if (other === undefined && metric === undefined) return { open: 'metric' };
  const correlate = fieldOf('correlate');
  const shows: CellPlace['shows'] =
    other !== undefined
      ? { other, per: fieldOf('per') ?? 1 }
      : {
          metric: fieldOf('metrics')?.[metric ?? ''] ?? metric ?? '',
          ...(correlate !== undefined && { correlate }),
        };
  const [first = '', ...others] = [fieldOf('methodSuffix') ?? ''].flat();
  const placeWith = (suffix: string): CellPlace => ({
    method: `${method}${suffix}`,
    dataset: `${dataset}${fieldOf('datasetSuffix') ?? ''}`,
    model: fieldOf('model'),
    slice: fieldOf('slice'),
    shows,
  });
  return [placeWith(first), ...others.map(placeWith)];
}

/**
 * Returns a table of a paper after checking it, with defaults filled in.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parsePaperTable(value: unknown): PaperTable {
  return parsedBy(paperTable, value, (table) => [
    ...problemsOfKind(table),
    ...problemsOfNames(table),
    ...problemsOfLines(table, 'columns'),
    ...problemsOfLines(table, 'rows'),
    ...problemsOfFigures(table),
    ...(table.made === 'no' ? [] : problemsOfCells(table)),
  ]);
}

function problemsOfKind({ made, lacks, nearest }: PaperTable): Problem[] {
  return [
    ...(made !== 'yes' && !lacks
      ? [{ path: ['lacks'], message: `is missing; it must explain why made is "${made}"` }]
      : []),
    ...(made === 'no' && nearest === undefined
      ? [{ path: ['nearest'], message: 'is missing; it must name the nearest alternative' }]
      : []),
  ];
}

/** Returns problems of slices without "by" or "above", and of headings that do not exist. */
function problemsOfNames({ rows, columns, by, above }: PaperTable): Problem[] {
  const headings = columns.map(({ group, title }) => group ?? title);
  const wrongSlice = (slice: string) => {
    if (by === undefined && above === undefined) return 'needs "by" or "above"';
    return above !== undefined && Number.isNaN(Number(slice)) && 'must be a number with "above"';
  };
  return [
    ...(by !== undefined && above !== undefined
      ? [{ path: ['above'], message: 'cannot be combined with "by"' }]
      : []),
    ...Object.entries({ rows, columns }).flatMap(([part, lines]) =>
      lines.flatMap(({ slice }, at) => {
        const message = slice !== undefined && wrongSlice(slice);
        return message ? [{ path: [part, at, 'slice'], message }] : [];
      }),
    ),
    ...rows.flatMap(({ unmadeIn = {} }, at) =>
      Object.keys(unmadeIn)
        .filter((heading) => !headings.includes(heading))
        .map((heading) => ({
          path: ['rows', at, 'unmadeIn', heading],
          message: `is not the heading of a column: ${[...new Set(headings)].join(', ')}`,
        })),
    ),
  ];
}

function problemsOfLines(table: PaperTable, part: 'columns' | 'rows'): Problem[] {
  const names = table[part].map(lineName);
  return table[part].flatMap((line, at): Problem[] => [
    ...(names.indexOf(names[at] ?? '') === at
      ? []
      : [
          {
            path: [part, at, 'title'],
            message: `is "${names[at]}", the name of another one`,
          },
        ]),
    ...(line.mean ?? []).flatMap((name, i) => {
      const [of] = linesNamed(table[part], [name]);
      const path = [part, at, 'mean', i];
      if (!of)
        return [{ path, message: `"${name}" is not one of the ${part}: ${names.join(', ')}` }];
      return of.mean ? [{ path, message: `"${name}" is itself a mean` }] : [];
    }),
  ]);
}

function problemsOfFigures({ rows, columns, noFigures }: PaperTable): Problem[] {
  if (columns.length === 0) return [];
  return rows.flatMap(({ figures }, at): Problem[] => {
    const path = ['rows', at, 'figures'];
    if (noFigures !== undefined) {
      return figures ? [{ path, message: 'cannot be combined with noFigures' }] : [];
    }
    if (!figures)
      return [
        { path, message: 'is missing; if the table has no figures, noFigures must explain why' },
      ];
    const isRight = figures.length === columns.length;
    const wanted = `must have as many figures as the table has columns: ${columns.length}, not ${figures.length}`;
    return [
      ...(isRight ? [] : [{ path, message: wanted }]),
      ...figures.flatMap((one, column) =>
        Array.isArray(one) && !(one[1] <= one[0] && one[0] <= one[2])
          ? [{ path: [...path, column], message: 'must be [figure, lower end, upper end]' }]
          : [],
      ),
    ];
  });
}

/** Returns problems of cells without a place, except means and cells that cannot be reproduced. */
function problemsOfCells({ rows, columns }: PaperTable): Problem[] {
  if (rows.length === 0 || columns.length === 0) {
    const path = [rows.length === 0 ? 'rows' : 'columns'];
    return [{ path, message: 'is missing; a table needs rows and columns' }];
  }
  return rows.flatMap((row, at) => {
    if (row.mean ?? row.unmade) return [];
    const open = columns.flatMap((column) => {
      if (column.mean ?? whyUnmade(row, column)) return [];
      const found = placesOf(row, column);
      return 'open' in found ? [`${found.open} of "${lineName(column)}"`] : [];
    });
    if (open.length === 0) return [];
    const message = `neither the row nor the column names the ${open.join(', the ')}`;
    return [{ path: ['rows', at], message }];
  });
}
