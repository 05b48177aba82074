/** A table of a study in the formats in which it is read, pasted or computed with. Pure. */
import { table as columnsOf } from '../runs/comparison-text.js';
import { percent } from '../runs/numbers.js';
import { cellOf } from './gate-summaries.js';
import type { StudyTable, TableCell, TableRow, Unit } from './study-table.js';

export const TABLE_FORMATS = ['text', 'markdown', 'latex', 'csv', 'json'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Returns the table in a format, with a line end at its end. */
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
  dollars: (value) => value.toPrecision(2),
  calls: (value) => value.toFixed(1),
  seconds: (value) => value.toFixed(1),
};

interface Marks {
  best: (text: string) => string;
  differs: string;
  plusMinus: string;
  dash: string;
}

/**
 * Returns a mean with its spread or interval, its marks, and its n if cells differ in it; of a cell that
 * has not ended, of how many answers it is.
 */
function cellText(cell: TableCell | undefined, { unit, rows }: StudyTable, marks: Marks): string {
  if (!cell) return marks.dash;
  const write = WRITTEN[unit];
  const { value, spread, low, high, questions, answers, planned, isBest, differs } = cell;
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
  return `${mean}${differs ? marks.differs : ''}${range}${size}`;
}

/** The columns that name a row; those that say nothing are left out. */
function rowNames({ rows }: StudyTable): [title: string, of: (row: TableRow) => string][] {
  const hasOptions = rows.some(({ options }) => options !== '');
  const hasModels = new Set(rows.map(({ model }) => model)).size > 1;
  const names: [title: string, of: (row: TableRow) => string][] = [
    ['method', ({ method }) => method],
  ];
  if (hasOptions) names.push(['options', ({ options }) => options]);
  if (hasModels) names.push(['model', ({ model }) => model]);
  return names;
}

function grid(table: StudyTable, marks: Marks, plain: (text: string) => string): string[][] {
  const names = rowNames(table);
  const titles = table.columns.map(({ dataset, title }) => plain(`${dataset}, ${title}`));
  return [
    [...names.map(([title]) => title), ...titles],
    ...table.rows.map((row) => [
      ...names.map(([, of]) => plain(of(row))),
      ...row.cells.map((cell) => cellText(cell, table, marks)),
    ]),
  ];
}

function textTable(table: StudyTable): string {
  const marks = { best: (text: string) => `*${text}`, differs: '†', plusMinus: '±', dash: '–' };
  const notes = table.notes.map((note) => note.replace('Marked as best', 'With a star'));
  const lines = [
    columnsOf(grid(table, marks, (text) => text)),
    ...notes,
    ...(table.decisions ?? []),
  ];
  return `${lines.join('\n')}\n`;
}

function markdownTable(table: StudyTable): string {
  const marks = { best: (text: string) => `**${text}**`, differs: '†', plusMinus: '±', dash: '–' };
  const [header = [], ...rows] = grid(table, marks, cellOf);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const names = rowNames(table).length;
  const rule = header.map((_, column) => (column < names ? '---' : '---:'));
  const decisions = (table.decisions ?? []).map((one) => `- ${cellOf(one)}`);
  const notes = [table.notes.join(' '), ...(decisions.length > 0 ? ['', ...decisions] : [])];
  return `${[line(header), line(rule), ...rows.map(line), '', ...notes].join('\n')}\n`;
}

/** Needs no package: a tabular with rules of LaTeX's own. */
function latexTable(table: StudyTable): string {
  const marks = {
    best: (text: string) => `\\textbf{${text}}`,
    ...{ differs: '$^{\\dagger}$', plusMinus: '$\\pm$', dash: '--' },
  };
  const [header = [], ...rows] = grid(table, marks, latexText);
  const names = rowNames(table).length;
  const line = (cells: readonly string[]) => `    ${cells.join(' & ')} \\\\`;
  return `${[
    '\\begin{table}',
    '  \\centering',
    `  \\begin{tabular}{${'l'.repeat(names)}${'r'.repeat(header.length - names)}}`,
    '    \\hline',
    line(header),
    '    \\hline',
    ...rows.map(line),
    '    \\hline',
    '  \\end{tabular}',
    `  \\caption{${latexText([`${table.study}.`, ...table.notes].join(' '))}}`,
    '\\end{table}',
  ].join('\n')}\n`;
}

const LATEX: Record<string, string> = {
  ...{ '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}' },
  ...{ '%': '\\%', _: '\\_', '&': '\\&', '#': '\\#', $: '\\$', '{': '\\{', '}': '\\}' },
  ...{ '<': '\\textless{}', '>': '\\textgreater{}', '|': '\\textbar{}' },
};

/** A text as LaTeX prints it. */
export function latexText(text: string): string {
  return text.replaceAll(/[\\~^%_&#${}<>|]/g, (character) => LATEX[character] ?? character);
}

const COLUMNS = [
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
  'best',
  'differs',
] as const;

/** A line a cell, with the figures as they are. */
function csvTable({ rows, columns, unit }: StudyTable): string {
  const lines = rows.flatMap(({ method, options, model, cells }) =>
    cells.flatMap((cell, i) => {
      const { dataset, title: metric } = columns[i] ?? {};
      if (!cell) return [];
      const { isBest: best, ...figures } = cell;
      return { method, options, model, dataset, metric, unit, best, ...figures };
    }),
  );
  const values = lines.map((line) => COLUMNS.map((column) => line[column]));
  return [COLUMNS, ...values].map(csvLine).join('');
}

/** A line of CSV as RFC 4180 has it, but with a line feed; nothing for what is not there. */
export function csvLine(values: readonly unknown[]): string {
  const fields = values.map((value) => {
    const text = value === undefined || value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(',')}\n`;
}
