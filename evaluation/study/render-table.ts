/** Renders the table of a study as text, Markdown, LaTeX, CSV or JSON. Pure. */
import { isDifferenceShown, levelText } from '../comparisons/decision-words.js';
import { table as columnsOf } from '../runs/columns.js';
import { count, differenceText, percent, pValue } from '../runs/number-text.js';
import { markdownCell } from './gate-summaries.js';
import { latexGrid, latexLine, latexText } from './latex.js';
import type { StudyTable, TableCell, TableRow, Unit } from './study-table.js';

/** Names of the formats in which a table can be written. */
export const TABLE_FORMATS = ['text', 'markdown', 'latex', 'csv', 'json'] as const;
/** The name of a format in which a table can be written, such as "markdown". */
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Returns the table of a study as text in a format, ending with a line feed. */
export function renderTable(table: StudyTable, format: TableFormat): string {
  return RENDERERS[format](table);
}

const RENDERERS: Record<TableFormat, (table: StudyTable) => string> = {
  text: textTable,
  markdown: markdownTable,
  latex: latexTable,
  csv: csvTable,
  json: (table) => `${JSON.stringify(table, undefined, 2)}\n`,
};

const WRITTEN: Record<Unit, (value: number) => string> = {
  percent,
  number: count,
  dollars: (value) => value.toPrecision(2),
  calls: (value) => value.toFixed(1),
  seconds: (value) => value.toFixed(1),
};

interface Marks {
  best: (text: string) => string;
  differs: string;
  stopped: string;
  plusMinus: string;
  dash: string;
}

/**
 * Returns a mean with its marks, its spread or interval, and its number of questions if cells
 * differ in it. For a cell that has not ended, the number of answers is shown instead.
 */
function cellText(
  cell: TableCell | undefined,
  { unit, rows, columns }: StudyTable,
  column: number,
  marks: Marks,
): string {
  if (!cell) return marks.dash;
  const write = WRITTEN[columns[column]?.unit ?? unit];
  const { value, spread, low, high, questions, answers, planned, isBest } = cell;
  const { comparison, hasStopped } = cell;
  const mean = isBest ? marks.best(write(value)) : write(value);
  const range =
    spread !== undefined
      ? ` ${marks.plusMinus} ${write(spread)}`
      : low !== undefined && high !== undefined
        ? ` [${write(low)}, ${write(high)}]`
        : '';
  const sizes = new Set(rows.flatMap((row) => row.cells.flatMap((one) => one?.questions ?? [])));
  const size =
    answers < planned
      ? ` (${answers} of ${planned} answers)`
      : sizes.size > 1
        ? ` (n=${questions})`
        : '';
  const differs = comparison && isDifferenceShown(comparison) ? marks.differs : '';
  return `${mean}${differs}${hasStopped ? marks.stopped : ''}${range}${size}`;
}

/** Returns the columns that name a row, without those that are the same in all rows. */
function rowNames({ rows, by }: StudyTable): [title: string, of: (row: TableRow) => string][] {
  const hasOptions = rows.some(({ options }) => options !== '');
  const hasModels = new Set(rows.map(({ model }) => model)).size > 1;
  const names: [title: string, of: (row: TableRow) => string][] = [];
  if (by !== undefined) names.push([by, ({ slice }) => slice || 'none']);
  names.push(['method', ({ method }) => method]);
  if (hasOptions) names.push(['options', ({ options }) => options]);
  if (hasModels) names.push(['model', ({ model }) => model]);
  return names;
}

function grid(table: StudyTable, marks: Marks, plain: (text: string) => string): string[][] {
  const names = rowNames(table);
  const titles = columnTitles(table).map(plain);
  return [
    [...names.map(([title]) => plain(title)), ...titles],
    ...table.rows.map((row) => [
      ...names.map(([, of]) => plain(of(row))),
      ...row.cells.map((cell, column) => cellText(cell, table, column, marks)),
    ]),
  ];
}

function columnTitles({ columns }: StudyTable): string[] {
  return columns.map(({ dataset, title }) => [dataset, title].filter(Boolean).join(', '));
}

const PLAIN: Omit<Marks, 'best'> = { differs: '†', stopped: '‡', plusMinus: '±', dash: '–' };

function textTable(table: StudyTable): string {
  const marks = { ...PLAIN, best: (text: string) => `*${text}` };
  const notes = table.notes.map((note) => note.replace('Marked as best', 'With a star'));
  const lines = [
    columnsOf(grid(table, marks, (text) => text)),
    ...notes,
    ...(table.decisions ?? []),
  ];
  return `${lines.join('\n')}\n`;
}

function markdownTable(table: StudyTable): string {
  const marks = { ...PLAIN, best: (text: string) => `**${text}**` };
  const decisions = (table.decisions ?? []).map((one) => `- ${markdownCell(one)}`);
  const notes = [table.notes.join(' '), ...(decisions.length > 0 ? ['', ...decisions] : [])];
  const lines = markdownGrid(grid(table, marks, markdownCell), rowNames(table).length);
  return `${[...lines, '', ...notes].join('\n')}\n`;
}

/**
 * Returns the lines of a Markdown table. The first row is the header; cells must be escaped
 * already.
 *
 * @param names Number of columns that name a row; the columns after these are aligned to the right.
 */
export function markdownGrid(
  [header = [], ...rows]: readonly (readonly string[])[],
  names: number,
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (column < names ? '---' : '---:'));
  return [line(header), line(rule), ...rows.map(line)];
}

const LATEX_MARKS: Marks = {
  best: (text) => `\\textbf{${text}}`,
  differs: '$^{\\dagger}$',
  stopped: '$^{\\ddagger}$',
  plusMinus: '$\\pm$',
  dash: '--',
};

/**
 * Returns a LaTeX table with booktabs. A compared score also has its difference with interval, p
 * and corrected p.
 */
function latexTable(table: StudyTable): string {
  const [header = [], ...rows] = grid(table, LATEX_MARKS, latexText);
  const names = rowNames(table).length;
  const isCompared = table.columns.map((_, column) =>
    table.rows.some(({ cells }) => cells[column]?.comparison),
  );
  const widened = (cells: readonly string[], more: (column: number) => readonly string[]) => [
    ...cells.slice(0, names),
    ...cells
      .slice(names)
      .flatMap((cell, column) => [cell, ...(isCompared[column] ? more(column) : [])]),
  ];
  const titles = header.slice(names).map((title, column) => ({
    title,
    span: isCompared[column] ? 1 + COMPARED.length : 1,
  }));
  const all = titles.reduce((total, { span }) => total + span, 0);
  const heading = isCompared.some(Boolean)
    ? [
        latexLine([
          ...header.slice(0, names).map(() => ''),
          ...titles.map(({ title, span }) => `\\multicolumn{${span}}{c}{${title}}`),
        ]),
        `    ${rulesUnder(titles, names)}`,
        latexLine([
          ...header.slice(0, names),
          ...titles.flatMap(({ span }) => ['mean', ...COMPARED.slice(0, span - 1)]),
        ]),
      ]
    : [latexLine(header)];
  return latexGrid({
    names,
    columns: all,
    heading,
    rows: rows.map((cells, row) =>
      latexLine(widened(cells, (column) => comparedTexts(table, row, column))),
    ),
    caption: [`${table.study}.`, ...table.notes].join(' '),
    label: table.study,
  });
}

/** Column headings beside a compared score. */
const COMPARED = ['difference', '$p$', 'corrected $p$'];

function comparedTexts({ rows, columns }: StudyTable, row: number, column: number): string[] {
  const { comparison } = rows[row]?.cells[column] ?? {};
  if (!comparison) return COMPARED.map(() => '');
  const { difference, level, p, corrected } = comparison;
  // The difference of a metric with a range is already in its own unit.
  const asItIs = columns[column]?.unit === 'number' ? { range: { from: 0, to: 1 } } : {};
  const [mean, low, high] = [difference.mean, difference.low, difference.high].map((one) =>
    differenceText(one, asItIs).replace('−', '$-$').replace('+', '$+$'),
  );
  const written = (value: number | null) =>
    value === null ? LATEX_MARKS.dash : pValue(value).replace('< ', '$<$ ');
  const range = `[${low}, ${high}; ${levelText(level)} \\%]`;
  return [`${mean} ${range}`, written(p), written(corrected)];
}

/** Returns rules under titles that span several columns. */
function rulesUnder(titles: readonly { span: number }[], names: number): string {
  let next = names + 1;
  const rules = titles.map(({ span }) => {
    const rule = span > 1 ? `\\cmidrule(lr){${next}-${next + span - 1}}` : '';
    next += span;
    return rule;
  });
  return rules.filter(Boolean).join(' ');
}

const CSV_FIELDS = [
  'by',
  'slice',
  'method',
  'options',
  'model',
  'dataset',
  'metric',
  'unit',
  'value',
  'low',
  'high',
  'spread',
  'repeats',
  'questions',
  'answers',
  'planned',
  'failed',
  'unreadable',
  'unknown',
  'hasStopped',
  'best',
  'against',
  'difference',
  'differenceLow',
  'differenceHigh',
  'level',
  'p',
  'corrected',
  'decision',
] as const;

/** Returns one line for each cell, with unrounded figures. */
function csvTable({ rows, columns, unit, by }: StudyTable): string {
  const lines = rows.flatMap(({ slice, method, options, model, cells }) =>
    cells.flatMap((cell, i): Partial<Record<(typeof CSV_FIELDS)[number], unknown>>[] => {
      const { dataset, title: metric, unit: own = unit } = columns[i] ?? {};
      if (!cell) return [];
      const { isBest: best, comparison, ...figures } = cell;
      const { difference, questions: _, ...tested } = comparison ?? {};
      const named = { by, slice, method, options, model, dataset, metric, unit: own };
      const compared = difference && {
        difference: difference.mean,
        differenceLow: difference.low,
        differenceHigh: difference.high,
      };
      return [{ ...named, ...figures, best, ...tested, ...compared }];
    }),
  );
  const texts = lines.map((line) => csvLine(CSV_FIELDS.map((field) => line[field])));
  return `${CSV_FIELDS.join(',')}\n${texts.join('')}`;
}

/**
 * Returns values as a line of CSV as in RFC 4180, but ending with a line feed. Undefined and null
 * become empty cells.
 */
export function csvLine(values: readonly unknown[]): string {
  const fields = values.map((value) => {
    const text = value === undefined || value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(',')}\n`;
}
