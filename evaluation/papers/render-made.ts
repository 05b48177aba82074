/** Renders a reproduced table of a paper as text, Markdown, LaTeX, CSV or JSON. Pure. */
import { fittedTable, wrapped } from '../runs/columns.js';
import { markdownCell } from '../study/gate-summaries.js';
import { latexGrid, latexLine, latexText } from '../study/latex.js';
import { csvLine, markdownGrid, type TableFormat } from '../study/render-table.js';
import { type Figure, missingOf, type ReproducedCell, type ReproducedTable } from './made-table.js';
import { lineName } from './paper-table.js';

/**
 * Returns a reproduced table as text in a format, ending with a line feed. As plain text, Markdown
 * and LaTeX, below each row of the paper are our figures with their intervals, and the
 * differences; a row without any figure of ours has neither.
 *
 * @param width Maximum number of characters of a line of plain text. @default 100
 */
export function renderReproduced(made: ReproducedTable, format: TableFormat, width = 100): string {
  if (format === 'json') return `${JSON.stringify(made, undefined, 2)}\n`;
  if (format === 'csv') return csvOf(made);
  const caption = `${made.paper}, ${made.table}: ${made.title}.`;
  const notes = [...made.order, ...missingOf(made), ...made.notes];
  if (format === 'markdown') {
    const lines = markdownGrid(gridOf(made, { plain: markdownCell, dash: '–', indent: '' }), 1);
    return `${[markdownCell(caption), '', ...lines, '', ...notes.map((note) => `- ${markdownCell(note)}`)].join('\n')}\n`;
  }
  if (format === 'latex') {
    const [header = [], ...rows] = gridOf(made, {
      plain: latexText,
      dash: '--',
      indent: '\\quad ',
    });
    return latexGrid({
      names: 1,
      columns: made.columns.length,
      heading: [latexLine(header)],
      rows: rows.map(latexLine),
      caption: [caption, ...notes].join(' '),
      label: `${made.paper} ${made.table}`,
    });
  }
  const plain = gridOf(made, { plain: (text) => text, dash: '–', indent: '  ' });
  const wrappedNotes = notes.flatMap((note) => wrapped(note, width));
  return `${[caption, '', fittedTable(plain, width), '', ...wrappedNotes].join('\n')}\n`;
}

/** The texts and escapes with which a format writes a cell. */
interface Writing {
  /** Escapes a text. */
  plain: (text: string) => string;
  /** Text of a cell without a figure. */
  dash: string;
  /** Text before "ours" and "difference". */
  indent: string;
}

/**
 * Returns the header and, for each row, the figures of the paper, ours, and the difference. A table
 * without figures of the paper has only ours.
 */
function gridOf({ columns, rows }: ReproducedTable, { plain, dash, indent }: Writing): string[][] {
  const line = (
    title: string,
    cells: readonly ReproducedCell[],
    of: 'theirs' | 'ours' | 'difference',
  ) => [
    title,
    ...cells.map((cell, k) => {
      const figure = cell[of];
      const digits = cell.isCount ? 0 : (columns[k]?.digits ?? 1);
      return figure ? plain(figureText(figure, digits, of === 'difference')) : dash;
    }),
  ];
  const hasTheirs = rows.some(({ cells }) => cells.some(({ theirs }) => theirs !== null));
  return [
    ['', ...columns.map((column) => plain(lineName(column)))],
    ...rows.flatMap(({ cells, ...row }) => {
      if (!hasTheirs) return [line(plain(lineName(row)), cells, 'ours')];
      const isMade = cells.some(({ ours }) => ours !== null);
      return [
        line(plain(lineName(row)), cells, 'theirs'),
        ...(isMade
          ? [line(`${indent}ours`, cells, 'ours'), line(`${indent}difference`, cells, 'difference')]
          : []),
      ];
    }),
  ];
}

/**
 * Returns a figure with its interval.
 *
 * @example figureText({ value: 33.5, low: 32, high: 35 }, 1) // "33.5 [32.0, 35.0]"
 */
function figureText({ value, low, high }: Figure, digits: number, hasSign = false): string {
  const written = (one: number) => {
    const text = Math.abs(one).toFixed(digits);
    if (Number(text) === 0) return text;
    return `${one < 0 ? '−' : hasSign ? '+' : ''}${text}`;
  };
  if (low === undefined || high === undefined) return written(value);
  return `${written(value)} [${written(low)}, ${written(high)}]`;
}

const CSV_FIELDS = [
  'row',
  'column',
  'theirs',
  'theirsLow',
  'theirsHigh',
  'ours',
  'low',
  'high',
  'difference',
  'differenceLow',
  'differenceHigh',
  'questions',
  'answers',
  'planned',
  'why',
] as const;

/** Returns one line for each cell, with unrounded figures. */
function csvOf({ rows, columns }: ReproducedTable): string {
  const lines = rows.flatMap((row) =>
    row.cells.map(({ theirs, ours, difference, questions, answers, planned, why }, k) => [
      lineName(row),
      lineName(columns[k] ?? { title: '' }),
      ...[theirs, ours, difference].flatMap((one) => [one?.value, one?.low, one?.high]),
      questions,
      answers,
      planned,
      why,
    ]),
  );
  return [[...CSV_FIELDS], ...lines].map(csvLine).join('');
}
