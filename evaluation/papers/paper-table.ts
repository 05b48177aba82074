/** The layout of a paper's table with the figures that it prints, as a file of papers/ declares it. Pure. */
import { z } from 'zod';
import { parsedBy } from '../../core/options/checked.js';
import type { Problem } from '../../core/options/problems.js';
import { nonEmpty } from '../../core/options/ranges.js';

/** What a cell can show in place of a score: what a question takes, the share that ended as unknown, or how many there are. */
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

/** Cell of the study for a row or a column; fields that a row leaves out come from the column. */
const place = {
  method: nonEmpty.optional().describe('name of the method in the study'),
  methodSuffix: z
    .union([nonEmpty, z.array(nonEmpty).min(2)])
    .optional()
    .describe('stands behind that name, if the other line says it; of several, their mean'),
  dataset: nonEmpty.optional().describe('name of the data set in the study'),
  datasetSuffix: nonEmpty.optional().describe('stands behind that name, if the other line says it'),
  model: nonEmpty
    .optional()
    .describe('model of the paper, as the study names it; left out, its first one'),
  metric: nonEmpty.optional().describe('metric that is shown'),
  metrics: z
    .record(z.string(), nonEmpty)
    .optional()
    .describe('metrics that are shown in the place of those that the other line says'),
  correlate: nonEmpty
    .optional()
    .describe('metric with which the one shown is correlated, over questions'),
  slice: nonEmpty
    .optional()
    .describe('value of what the table is sliced by, or told above; left out, all questions'),
  shows: z.enum(OTHERS).optional().describe('what is shown in place of a metric'),
  per: z.int().min(1).optional().describe('questions that this is of; left out, one'),
  mean: z
    .array(nonEmpty)
    .min(2)
    .optional()
    .describe('names of the columns (or, in a row, of the rows) that it is the mean of'),
  unmade: nonEmpty.optional().describe('why it cannot be made here'),
  unmadeIn: z
    .record(z.string(), nonEmpty)
    .optional()
    .describe('of a row: why it cannot be made in the columns below a heading'),
};

const named = {
  group: nonEmpty.optional().describe('heading above it'),
  title: nonEmpty.describe('what the table calls it'),
};

const figure = z
  .union([z.number(), z.tuple([z.number(), z.number(), z.number()]), z.null()])
  .describe('figure of the paper, alone or with both ends of its interval; null if it has none');

const paperTable = z.strictObject({
  title: nonEmpty.describe('what the table compares'),
  made: z.enum(['yes', 'partly', 'no']).describe('whether it can be made here'),
  lacks: z
    .array(nonEmpty)
    .min(1)
    .optional()
    .describe('what is missing here, or is not as in the paper'),
  nearest: nonEmpty.optional().describe('what stands nearest, if it cannot be made'),
  asked: nonEmpty.optional().describe('what the paper asked: model, search, passages'),
  noFigures: nonEmpty.optional().describe('why there are no figures of the paper'),
  by: nonEmpty.optional().describe('field or metric by whose values it has slices'),
  above: nonEmpty
    .optional()
    .describe('metric in place of "by": a slice has the questions that reach its value'),
  unit: z.enum(['percent', 'plain']).default('percent').describe('unit of its figures'),
  columns: z.array(z.strictObject({ ...named, ...place })).default([]),
  rows: z
    .array(z.strictObject({ ...named, ...place, figures: z.array(figure).optional() }))
    .default([]),
});

/** A table or figure of a paper: its rows, columns and figures, as a file declares them. */
export type PaperTable = z.output<typeof paperTable>;
type Line = PaperTable['columns'][number];

/** Returns what a row or a column is called, with its heading. */
export function lineName({ group, title }: Pick<Line, 'group' | 'title'>): string {
  return group === undefined ? title : `${group} ${title}`;
}

/** What a cell of a table shows, by the labels of the study. */
export interface CellPlace {
  method: string;
  dataset: string;
  /** Undefined for the first model of the study. */
  model: string | undefined;
  /** Value of what the table is sliced by; undefined for all questions. */
  slice: string | undefined;
  /** A metric, or its correlation with another one, or something else of so many questions. */
  shows: { metric: string; correlate?: string } | { other: (typeof OTHERS)[number]; per: number };
}

/**
 * Where our figure in a cell of a table comes from: a cell of a study, a mean of others, or
 * nowhere.
 */
export type CellSource =
  | { of: 'study'; place: CellPlace }
  | { of: 'mean'; over: readonly CellSource[] }
  | { of: 'nothing'; why: string };

/**
 * Returns what each cell of a table is made of, row by row.
 *
 * @throws Error for a table that `parsePaperTable` refuses.
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
    if ('open' in found) throw new Error(`Nothing says ${found.open} of a cell.`);
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

/** Returns the places that a cell is the mean of, mostly one, or the field that neither row nor column says. */
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
 * Checks a table.
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
      ? [{ path: ['lacks'], message: `is missing; it says why the table is made ${made}` }]
      : []),
    ...(made === 'no' && nearest === undefined
      ? [{ path: ['nearest'], message: 'is missing; it says what stands nearest' }]
      : []),
  ];
}

/** Slices need what the table is sliced by, or told above, and headings must be there. */
function problemsOfNames({ rows, columns, by, above }: PaperTable): Problem[] {
  const headings = columns.map(({ group, title }) => group ?? title);
  const wrongSlice = (slice: string) => {
    if (by === undefined && above === undefined) return 'needs "by", what the table is sliced by';
    return above !== undefined && Number.isNaN(Number(slice)) && 'must be a number beside "above"';
  };
  return [
    ...(by !== undefined && above !== undefined
      ? [{ path: ['above'], message: 'has no place beside "by"' }]
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
          message: `is no heading of a column: ${[...new Set(headings)].join(', ')}`,
        })),
    ),
  ];
}

function problemsOfLines(table: PaperTable, part: 'columns' | 'rows'): Problem[] {
  const names = table[part].map(lineName);
  return table[part].flatMap((line, at): Problem[] => [
    ...(names.indexOf(names[at] ?? '') === at
      ? []
      : [{ path: [part, at, 'title'], message: `is "${names[at]}", as another one is` }]),
    ...(line.mean ?? []).flatMap((name, i) => {
      const [of] = linesNamed(table[part], [name]);
      const path = [part, at, 'mean', i];
      if (!of) return [{ path, message: `"${name}" is none of the ${part}: ${names.join(', ')}` }];
      return of.mean ? [{ path, message: `"${name}" is a mean itself` }] : [];
    }),
  ]);
}

function problemsOfFigures({ rows, columns, noFigures }: PaperTable): Problem[] {
  return rows.flatMap(({ figures }, at): Problem[] => {
    const path = ['rows', at, 'figures'];
    if (noFigures !== undefined) {
      return figures ? [{ path, message: 'must be left out beside noFigures' }] : [];
    }
    if (!figures) return [{ path, message: 'is missing; noFigures says why a table has none' }];
    const isRight = figures.length === columns.length;
    const wanted = `must have ${columns.length} figures, one a column, not ${figures.length}`;
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

/** Every cell must have a place, unless it is a mean or is not made. */
function problemsOfCells({ rows, columns }: PaperTable): Problem[] {
  if (rows.length === 0 || columns.length === 0) {
    const path = [rows.length === 0 ? 'rows' : 'columns'];
    return [{ path, message: 'is missing; it says what the table shows' }];
  }
  return rows.flatMap((row, at) => {
    if (row.mean ?? row.unmade) return [];
    const open = columns.flatMap((column) => {
      if (column.mean ?? whyUnmade(row, column)) return [];
      const found = placesOf(row, column);
      return 'open' in found ? [`${found.open} of "${lineName(column)}"`] : [];
    });
    if (open.length === 0) return [];
    const message = `neither row nor column says the ${open.join(', the ')}`;
    return [{ path: ['rows', at], message }];
  });
}
