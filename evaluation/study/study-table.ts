/** The table of a study: scores or effort of its cells, with the results of its comparisons. Pure. */
import { groupedBy } from '../../core/grouped-by.js';
import { badInput } from '../../core/options/problems.js';
import { stoppedCells } from '../comparisons/compare-pairs.js';
import { decisionWords, isDifferenceShown, testWords } from '../comparisons/decision-words.js';
import { sliceText } from '../comparisons/question-groups.js';
import { checkMetricNames, metricNamed } from '../comparisons/tested-metrics.js';
import { BUILT_IN, goldRecallMetric } from '../metrics/built-in.js';
import {
  type MetricGroup,
  type ShownMetric,
  scaledDifference,
  scaledInterval,
  widthOf,
} from '../runs/metrics.js';
import { optionTexts } from '../runs/run-labels.js';
import { RECALL_DEPTHS } from '../score-passages.js';
import { correlation } from '../statistics/between-metrics.js';
import { MIN_QUESTIONS } from '../statistics/compare-scores.js';
import { type CellFigures, type CellMetric, cellMetric } from './cell-figures.js';
import { decisionText, savingsText } from './decision-text.js';
import type { CellSlice, StudyComparison, StudyScores } from './study-scores.js';

/**
 * The content of a study's table: "score" for the scores of the compared metrics, "cost", "calls",
 * "time" or "searches" for what a question takes, or `{ metric }` for the scores of a named
 * metric.
 */
export type TableContent = 'score' | keyof typeof EFFORT | { metric: string };

/**
 * The unit of a table's values. percent stands for fractions that are shown in per cent; number is
 * used for metrics with a range, such as iterations, and for correlations; dollars are US dollars;
 * calls are also used for searches.
 */
export type Unit = 'percent' | 'number' | 'dollars' | 'calls' | 'seconds';

/**
 * The difference of a cell from its baseline, in the unit of the table, with the decision of the
 * test.
 */
interface TableComparison
  extends Pick<
    StudyComparison,
    'difference' | 'level' | 'p' | 'corrected' | 'decision' | 'questions'
  > {
  /** Label of the baseline. */
  against: string;
}

/** A figure in the table of a study, with its interval and the numbers of questions and answers. */
export interface TableCell {
  /**
   * The figure: a fraction from 0 to 1, a number, US dollars, calls or seconds, by the unit of its
   * column.
   */
  value: number;
  /**
   * Lower end of the 95 % interval, with repeats of a question as one draw; for scores and
   * correlations only.
   */
  low?: number;
  /** Upper end of the same interval. */
  high?: number;
  /** Standard deviation between repeats; for scores with two or more. */
  spread?: number;
  /** Number of repeats in the figure. */
  repeats: number;
  /** Number of questions in the figure. */
  questions: number;
  /** Number of answers so far over all repeats. */
  answers: number;
  /** Number of answers that are planned over all repeats. */
  planned: number;
  /** Number of questions that failed. */
  failed: number;
  /** Number of questions whose answer could not be read. */
  unreadable: number;
  /** Number of questions that were answered "unknown". */
  unknown: number;
  /**
   * Whether its mean is the highest of two or more in its column, model and slice. False for a cell
   * without answers or with fewer than 20 questions, and in tables of chain metrics, effort and
   * correlations and of a study that stops once it is decided.
   */
  isBest: boolean;
  /** Comparison with the baseline; undefined if the cell is not compared in this metric. */
  comparison?: TableComparison;
  /** Set if some questions were not asked because the cell's comparisons were decided. */
  hasStopped?: true;
}

/** A column in the table of a study: a metric or a kind of effort on one data set. */
interface TableColumn {
  dataset: string;
  /** Name of the metric; undefined for effort, and before the first score. */
  metric?: string | undefined;
  title: string;
  /** Unit of the column; undefined if it is that of the table. */
  unit?: Unit;
}

/**
 * A row in the table of a study: a method with a model, on one slice if the table has slices, with
 * a cell for each column.
 */
export interface TableRow {
  /**
   * Value of the slice, '' for questions without the field; undefined if the table has no slices.
   */
  slice?: string;
  method: string;
  /** Options in which cells of this method differ, such as "candidates 3"; empty if they do not. */
  options: string;
  model: string;
  isBaseline: boolean;
  /** Cells by column; undefined if the study has no such cell, or it has no figure yet. */
  cells: (TableCell | undefined)[];
}

/**
 * The table of a study as data to be rendered: its unit, columns and rows, and sentences that
 * explain them.
 */
export interface StudyTable {
  study: string;
  /** Field or metric by which the table is split into slices; undefined if it is not. */
  by?: string;
  unit: Unit;
  columns: TableColumn[];
  rows: TableRow[];
  /** Sentences that explain the figures and marks. */
  notes: string[];
  /**
   * One sentence for each sequential comparison, and one about what was saved; undefined unless the
   * study stops once it is decided.
   */
  decisions?: string[];
}

/** Unit and columns of a table of effort; each data set has these columns. */
interface Effort {
  unit: Unit;
  columns: readonly { title: string; of: (cell: CellFigures) => number | null | undefined }[];
}

/**
 * What a table can show in place of scores: cost (US dollars a question), calls, time (median
 * seconds) and searches. Each has its `unit` and the `columns` that each data set has, a title and
 * a function that returns the figure of a cell.
 */
export const EFFORT = {
  cost: { unit: 'dollars', columns: [{ title: '$ a question', of: ({ costUsd }) => costUsd }] },
  calls: {
    unit: 'calls',
    columns: [
      {
        title: 'calls a question',
        of: ({ usage, answers }) =>
          answers > 0 && usage.answersWithoutUsage === undefined ? usage.calls / answers : null,
      },
    ],
  },
  time: {
    unit: 'seconds',
    columns: [
      { title: 'working time, median s', of: ({ workingSeconds }) => workingSeconds },
      { title: 'wall time, median s', of: ({ seconds }) => seconds },
    ],
  },
  searches: {
    unit: 'calls',
    columns: [{ title: 'searches a question', of: ({ searches }) => searches }],
  },
} satisfies Record<string, Effort>;

/**
 * Returns the table of a study as data, which `renderTable` renders in any format.
 *
 * @param shown Figures to show. @default 'score'
 * @param other Name or title of a metric; the table then shows the correlations of the scores with
 * it.
 * @throws Failure BadInput for a metric in which no cell has a score, and for a correlation with
 * effort.
 */
export function studyTable(
  scores: StudyScores,
  shown: TableContent = 'score',
  other?: string,
): StudyTable {
  const { study } = scores;
  const cells: readonly TableSource[] = scores.slices.length > 0 ? scores.slices : scores.cells;
  const effort: Effort | undefined =
    typeof shown === 'string' && shown !== 'score' ? EFFORT[shown] : undefined;
  if (effort && other !== undefined) {
    throw badInput('correlate', `needs scores: "of" must be "score" or a metric, not "${shown}"`);
  }
  const columns =
    other === undefined
      ? columnsOf(scores, shown)
      : correlated(columnsOf(scores, shown), other, cells);
  const best = new Set(
    effort || other !== undefined || study.untilDecided
      ? []
      : columns.flatMap((column) => bestOf(cells, column)),
  );
  const rowKeys = new Map(
    cells.map(({ method, model, slice }) => [
      JSON.stringify([method, model, slice]),
      { method, model, slice },
    ]),
  );
  const rows = [...rowKeys.values()].map(({ method, model, slice }): TableRow => {
    const ofRow = cells.filter(
      (cell) =>
        cell.method === method && cell.model === model && cell.slice?.value === slice?.value,
    );
    return {
      ...(slice && { slice: slice.value }),
      method,
      model,
      options: optionsText(ofRow, cells),
      isBaseline: method === study.baseline,
      cells: columns.map((column) => {
        const cell = ofRow.find(({ dataset }) => dataset === column.dataset);
        if (!cell) return undefined;
        if (column.of) return effortCell(cell, column.of(cell));
        if (column.other !== undefined) return correlationCell(cell, column);
        const metric = column.metric === undefined ? undefined : cellMetric(cell, column.metric);
        return metric && scoreCell(cell, metric, best.has(metric), scores);
      }),
    };
  });
  const unit = effort?.unit ?? 'percent';
  const notes = [
    ...scores.notes,
    ...(effort ? [] : notesOnUnscored(scores)),
    ...(effort
      ? [`${titlesOf(columns)}.`]
      : other === undefined
        ? notesOn(scores, columns, rows)
        : [
            `${titlesOf(columns)}: Pearson's, over the questions of a cell, with its 95 % interval.`,
          ]),
    ...notesOnMissing(cells, (cell) => {
      if (effort) return 'notScored';
      const { metric = '' } = columns.find(({ dataset }) => dataset === cell.dataset) ?? {};
      return cellMetric(cell, metric)?.group ?? 'answer';
    }),
  ];
  const decisions = study.untilDecided && !effort && { decisions: decisionsOf(scores) };
  return {
    study: study.name,
    ...(scores.slices[0] && { by: scores.slices[0].slice.field }),
    unit,
    columns: columns.map(({ of: _, other: __, ...column }) => column),
    rows,
    notes,
    ...decisions,
  };
}

/** A cell, or a slice of one. */
type TableSource = CellFigures & Partial<Pick<CellSlice, 'whole' | 'slice'>>;

interface ShownColumn extends TableColumn {
  /** Returns the value of a cell; only for effort. */
  of?: Effort['columns'][number]['of'];
  /** Metric that the scores of the column are correlated with. */
  other?: string;
}

/** Returns columns of correlations with another metric, in place of the means. */
function correlated(
  columns: readonly ShownColumn[],
  name: string,
  cells: readonly TableSource[],
): ShownColumn[] {
  const all = cells.flatMap((cell) => cell.metrics);
  checkMetricNames('correlate', [name], all);
  const other = metricNamed(name, all) ?? { metric: name, title: name };
  return columns.map(({ dataset, metric, title }) => ({
    dataset,
    metric,
    title: `r of ${title} and ${other.title}`,
    unit: 'number',
    other: other.metric,
  }));
}

function correlationCell(
  cell: TableSource,
  { metric = '', other = '' }: ShownColumn,
): TableCell | undefined {
  const [one, second] = [metric, other].map((name) => cellMetric(cell, name)?.scores);
  const found = one && second && correlation(one, second);
  if (!found) return undefined;
  const { r, questions, ...interval } = found;
  return { value: r, ...interval, ...countsOf(cell), questions, isBest: false };
}

function titlesOf(columns: readonly TableColumn[]): string {
  return [...new Set(columns.map(({ title }) => title))].join(', ');
}

/** Returns the columns of a table: for scores, one for each data set and compared metric. */
function columnsOf({ cells, metrics }: StudyScores, shown: TableContent): ShownColumn[] {
  const datasets = [...new Set(cells.map(({ dataset }) => dataset))];
  if (typeof shown === 'string' && shown !== 'score') {
    const { columns }: Effort = EFFORT[shown];
    return datasets.flatMap((dataset) => columns.map((column) => ({ dataset, ...column })));
  }
  if (typeof shown === 'string') {
    return datasets.flatMap((dataset) => {
      const compared = metrics.get(dataset) ?? [];
      if (compared.length === 0) return [{ dataset, title: '' }];
      return compared.map((metric) => ({ dataset, ...columnOf(metric) }));
    });
  }
  const all = cells.flatMap((cell) => cell.metrics);
  if (all.length > 0) checkMetricNames('of', [shown.metric], all);
  const metric = metricNamed(shown.metric, all) ?? { ...shown, title: shown.metric };
  return datasets.map((dataset) => ({ dataset, ...columnOf(metric) }));
}

/** Returns the column of a metric, without its data set. */
function columnOf({
  metric,
  title,
  range,
}: Pick<ShownMetric, 'metric' | 'title' | 'range'>): Omit<ShownColumn, 'dataset'> {
  return { metric, title, ...(range && { unit: 'number' as const }) };
}

function decisionsOf({ study: { baseline = '' }, comparisons, cells }: StudyScores): string[] {
  const decisions = comparisons.flatMap(({ pair: { first }, title, sequential }) =>
    sequential
      ? `${first.method}, ${first.dataset}, ${first.model}: ${title}: ${decisionText(sequential, baseline)}.`
      : [],
  );
  return [...decisions, savingsText(cells)];
}

function effortCell(cell: CellFigures, value: number | null | undefined): TableCell | undefined {
  if (value === null || value === undefined) return undefined;
  return { value, ...countsOf(cell), questions: cell.order.length, isBest: false };
}

function countsOf({ figures, answers, planned, outcomes }: CellFigures) {
  const { failed, unreadable, unknown } = outcomes;
  return { repeats: figures.length, answers, planned, failed, unreadable, unknown };
}

function scoreCell(
  cell: TableSource,
  { metric, range, mean: share, questions, spread }: CellMetric,
  isBest: boolean,
  { comparisons }: StudyScores,
): TableCell {
  const found = comparisons.find(
    ({ pair, slice, metric: tested }) =>
      pair.first === (cell.whole ?? cell) &&
      slice?.value === cell.slice?.value &&
      tested === metric,
  );
  const mean = scaledInterval(share, range);
  return {
    value: mean.mean,
    low: mean.low,
    high: mean.high,
    ...(spread !== undefined && { spread: spread * widthOf(range) }),
    ...countsOf(cell),
    questions,
    isBest,
    ...(found && { comparison: tableComparison(found) }),
    ...(stoppedCells(comparisons).includes(cell) && { hasStopped: true as const }),
  };
}

function tableComparison(comparison: StudyComparison): TableComparison {
  const { range, level, p, corrected, decision, questions, pair } = comparison;
  const difference = scaledDifference(comparison.difference, range);
  const against = pair.second.method;
  return { against, difference, level, p, corrected, decision, questions };
}

/**
 * Returns the highest means of a column, by model. Cells without an answer, or with fewer than 20
 * questions, are never the best.
 */
function bestOf(cells: readonly TableSource[], { dataset, metric }: TableColumn): CellMetric[] {
  const scored = cells.flatMap((cell) => {
    const found = metric === undefined ? undefined : cellMetric(cell, metric);
    if (!found || cell.dataset !== dataset || found.questions < MIN_QUESTIONS) return [];
    if (found.group === 'chain') return [];
    // "Unknown" counts as an answer if it can be right.
    const hasAnswers = cell.outcomes.answered > 0 || found.mean.mean > 0;
    const row = JSON.stringify([cell.model, cell.slice?.value]);
    return hasAnswers ? [{ row, found }] : [];
  });
  return [...groupedBy(scored, ({ row }) => row).values()].flatMap((group) => {
    const highest = Math.max(...group.map(({ found }) => found.mean.mean));
    const best = group.filter(({ found }) => found.mean.mean === highest);
    return group.length < 2 ? [] : best.map(({ found }) => found);
  });
}

/**
 * Returns the options in which the cells of a row differ from others of their method. If the cells of the
 * row differ too, each text is followed by its data sets.
 *
 * @example optionsText(row, cells) // "candidates 3", or "candidates 3 (nq); candidates 2 (webq)"
 */
function optionsText(row: readonly CellFigures[], cells: readonly CellFigures[]): string {
  const all = cells.flatMap(({ figures }) => figures[0]?.manifest ?? []);
  const texts = row.flatMap(({ dataset, figures }) => {
    const manifest = figures[0]?.manifest;
    return manifest ? [{ dataset, text: optionTexts(manifest, all).join(', ') }] : [];
  });
  const byText = groupedBy(texts, ({ text }) => text);
  if (byText.size < 2) return texts[0]?.text ?? '';
  const written = [...byText].filter(([text]) => text !== '');
  return written
    .map(([text, own]) => `${text} (${own.map(({ dataset }) => dataset).join(', ')})`)
    .join('; ');
}

function notesOn(
  { study, cells, slices, comparisons }: StudyScores,
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
): string[] {
  const shown = rows.flatMap((row) => row.cells.filter((cell) => cell !== undefined));
  const has = (holds: (cell: TableCell) => unknown) => shown.some((cell) => holds(cell));
  const ranges = [
    ...(has(({ spread }) => spread !== undefined) ? ['standard deviation between repeats'] : []),
    ...(has(({ spread }) => spread === undefined) ? ['95 % interval'] : []),
  ];
  const titles = titlesOf(columns);
  const isOne = new Set(cells.map(({ model }) => model)).size < 2;
  const isOfColumn = ({ metric, pair }: StudyComparison) =>
    columns.some((one) => one.metric === metric && one.dataset === pair.first.dataset);
  const tested = comparisons.filter(isOfColumn);
  return [
    ...(ranges.length > 0 ? [`${titles}: mean with its ${ranges.join(' or ')}.`] : []),
    ...(has(({ isBest }) => isBest)
      ? [
          `Marked as best: the highest mean of its column${isOne ? '' : ' and model'}${slices.length > 0 ? ', in its slice' : ''}.`,
        ]
      : []),
    ...(study.baseline === undefined ? [] : testNotes(study.baseline, titles, tested)),
    ...(has(({ hasStopped }) => hasStopped)
      ? [
          'Marked with a double dagger: the cell stopped when its comparisons were decided, so its mean is biased away from no difference.',
        ]
      : []),
    ...(has(({ answers, planned, hasStopped }) => answers < planned && !hasStopped)
      ? [
          'A cell with a number of answers in brackets has not ended; its mean and interval are of these answers.',
        ]
      : []),
  ];
}

function testNotes(baseline: string, titles: string, tested: readonly StudyComparison[]): string[] {
  const incomparable = tested.filter(({ decision }) => decision === 'formsDiffer');
  const marked =
    tested.length === 0
      ? `Differences from ${baseline} in ${titles} are not tested, so none is marked.`
      : `${tested.some(isDifferenceShown) ? `Marked with a dagger: shown to differ from ${baseline}.` : `No cell is shown to differ from ${baseline}.`} ${testWords(tested)}`;
  const words = incomparable.map((comparison) => {
    const { first, second } = comparison.pair;
    return decisionWords(comparison, { first: first.method, second: second.method });
  });
  return [marked, ...[...new Set(words)].map((one) => `${sentence(one)}.`)];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Note on the failed answers of a table, by the group of its metric. */
const FAILED: Record<MetricGroup | 'notScored', string> = {
  answer: 'Failed answers count as 0',
  judged: 'Failed answers count as 0',
  retrieval: 'Failed answers are left out',
  chain: 'Failed answers are left out',
  notScored: 'Failed answers',
};

/**
 * Returns notes on metrics of the study in which no question of a data set has a score, once there
 * are answers.
 */
function notesOnUnscored({ study: { metrics = [] }, cells }: StudyScores): string[] {
  const byDataset = groupedBy(
    cells.filter(({ answers }) => answers > 0),
    ({ dataset }) => dataset,
  );
  return metrics.flatMap((name) => {
    const without = [...byDataset].flatMap(([dataset, own]) =>
      own.some((cell) => metricNamed(name, cell.metrics)) ? [] : [dataset],
    );
    if (without.length === 0) return [];
    const why = metricNamed(name, OF_GOLD) ? ', which marks no gold passages' : '';
    return [`No question of ${without.join(', ')} has a score in ${name}${why}.`];
  });
}

/** Metrics that need gold passages in the data set. */
const OF_GOLD = [...BUILT_IN, ...RECALL_DEPTHS.map(goldRecallMetric)].flatMap((metric) =>
  metric.from === 'passages' && metric.needsGold
    ? [{ metric: metric.name, title: metric.title }]
    : [],
);

/**
 * Returns notes on the number of answers that failed or could not be read, by cell; empty if none
 * did.
 */
function notesOnMissing(
  cells: readonly TableSource[],
  shownOf: (cell: TableSource) => keyof typeof FAILED,
): string[] {
  const parts = cells.flatMap((cell) => {
    const { failed, unreadable } = cell.outcomes;
    const shown = shownOf(cell);
    const isScored = shown === 'answer' || shown === 'judged';
    const found = [
      { note: FAILED[shown], count: failed },
      { note: 'Unreadable answers count as 0', count: isScored ? unreadable : 0 },
    ];
    return found
      .filter(({ count }) => count > 0)
      .map(({ note, count }) => ({
        note,
        of: `${count} of ${cell.answers} in ${cellName(cell, cells)}`,
      }));
  });
  const byNote = groupedBy(parts, ({ note }) => note);
  return [...byNote].map(([note, found]) => `${note}: ${found.map(({ of }) => of).join('; ')}.`);
}

/** Returns the name of a cell, with its data set and model if the study has several. */
function cellName(
  { method, dataset, model, slice }: TableSource,
  cells: readonly TableSource[],
): string {
  const where = slice ? `, ${sliceText(slice.field, slice.value)}` : '';
  const several = (label: 'dataset' | 'model') =>
    new Set(cells.map((cell) => cell[label])).size > 1;
  return `${method}${several('dataset') ? ` on ${dataset}` : ''}${several('model') ? ` with ${model}` : ''}${where}`;
}
