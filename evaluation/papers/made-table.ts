/** Reproduces a paper's table: its figures, ours beside them, and the differences. Pure. */
import { groupedBy } from '../../core/grouped-by.js';
import { paidCalls } from '../../core/usage.js';
import { scaledInterval } from '../runs/metrics.js';
import { correlation } from '../statistics/between-metrics.js';
import { mean } from '../statistics/repeats.js';
import { type Interval, meanInterval, sumInterval } from '../statistics/score-interval.js';
import { type CellFigures, cellMetric } from '../study/cell-figures.js';
import type { CellSlice } from '../study/study-scores.js';
import { type FoundCell, orderFindings } from './order.js';
import {
  type CellPlace,
  type CellSource,
  cellSources,
  lineName,
  type PaperTable,
} from './paper-table.js';

/**
 * A number in a table, with the ends of its 95 % interval if it has one, in the unit of the table.
 */
export interface Figure {
  value: number;
  low?: number;
  high?: number;
}

/**
 * A cell of a reproduced table: the paper's figure, ours and the difference, in the unit of the
 * table (per cent, or plain).
 */
export interface ReproducedCell {
  /** Figure of the paper; null if it has none. */
  theirs: Figure | null;
  /** Our figure; null if it cannot be reproduced, or has no answers. */
  ours: Figure | null;
  /** Ours minus theirs; null if one of the two is missing, and for counts. */
  difference: Figure | null;
  /** Present if the figures count questions, of which a sample has fewer than the paper. */
  isCount?: true;
  /** Number of questions over which our figure is; undefined for a mean over cells. */
  questions?: number;
  /** Number of answers so far, over all repeats; undefined if none is missing. */
  answers?: number;
  /** Number of answers that are planned; undefined if none is missing. */
  planned?: number;
  /** Reason why there is no figure of ours; undefined if there is one. */
  why?: string;
}

/**
 * A reproduced table of a paper as data to be rendered: its columns, its rows of cells, and
 * sentences about it.
 */
export interface ReproducedTable {
  paper: string;
  table: string;
  title: string;
  study: string;
  columns: { group?: string; title: string; digits: number }[];
  rows: { group?: string; title: string; cells: ReproducedCell[] }[];
  /** Sentences, one for each data set and metric: whether our order of the methods is the paper's. */
  order: string[];
  /** Sentences that explain the figures. */
  notes: string[];
}

/** The cells of a study, and texts, from which a table is reproduced. */
interface TableParts {
  /** Display names of the paper and of the table. */
  paper: string;
  name: string;
  study: string;
  cells: readonly CellFigures[];
  /** Slices of the cells, if the table has slices. @default [] */
  slices?: readonly CellSlice[];
  /**
   * Returns the name that the study has for a model of the paper; undefined if it was not asked.
   */
  modelFor: (theirs: string | undefined) => string | undefined;
  /** Further notes on the data, or on what was left out. */
  notes?: readonly string[];
}

/**
 * Returns a table of a paper as data to be rendered, with the paper's figures, those of a study's
 * cells, and the differences.
 */
export function reproducedTable(table: PaperTable, parts: TableParts): ReproducedTable {
  const sources = cellSources(table);
  const found = sources.map((row) => row.map((source) => foundCell(source, parts)));
  const cells = sources.map((row, i) =>
    row.map((source, k): ReproducedCell => {
      const theirs = theirsAt(table, i, k);
      const { ours, ...counts } =
        source.of === 'mean'
          ? meanOver(
              leavesOf(source).map((leaf) => foundCell(leaf, parts)),
              table.unit,
            )
          : oursOf(found[i]?.[k], table.unit);
      const cell = { theirs, ours, difference: differenceOf(ours, theirs), ...counts };
      return countsQuestions(source) ? { ...cell, difference: null, isCount: true } : cell;
    }),
  );
  return {
    paper: parts.paper,
    table: parts.name,
    title: table.title,
    study: parts.study,
    columns: table.columns.map(({ group, title }, k) => ({
      ...(group !== undefined && { group }),
      title,
      digits: digitsOf(table, k),
    })),
    rows: table.rows.map(({ group, title }, i) => ({
      ...(group !== undefined && { group }),
      title,
      cells: cells[i] ?? [],
    })),
    order: orderFindings(table, sources, found),
    notes: [...notesOn(table, cells), ...(parts.notes ?? [])],
  };
}

/** Returns whether a cell shows a number of questions instead of a score. */
function countsQuestions(source: CellSource): boolean {
  if (source.of !== 'study') return false;
  const { shows } = source.place;
  return 'other' in shows && shows.other === 'questions';
}

function foundCell(source: CellSource, { cells, slices = [], modelFor }: TableParts): FoundCell {
  if (source.of === 'mean') return undefined;
  if (source.of === 'nothing') return { why: source.why };
  const { method, dataset, slice, model: theirs } = source.place;
  const model = modelFor(theirs);
  if (model === undefined) return { why: `${theirs ?? 'the model'} was not asked` };
  const isMeant = (cell: CellFigures) =>
    cell.method === method && cell.dataset === dataset && cell.model === model;
  const whole = cells.find(isMeant);
  // The study does not ask every cell of the paper.
  if (!whole || slice === undefined) return whole && { figures: whole, place: source.place };
  const figures = slices.find((cell) => cell.slice.value === slice && isMeant(cell));
  if (figures) return { figures, place: source.place };
  return { why: whole.answers === 0 ? NOT_YET : 'no question is in this slice' };
}

type Ours = Omit<ReproducedCell, 'difference' | 'theirs'>;

/** Returns the cells that a mean is over; nested means are expanded. */
function leavesOf(source: CellSource): CellSource[] {
  return source.of === 'mean' ? source.over.flatMap(leavesOf) : [source];
}

/**
 * Returns the mean over cells of the study; null if one of them has no figure. Cells of the same
 * data set were asked the same questions, so each question counts with its mean over them.
 * Different data sets are independent.
 */
function meanOver(cells: readonly FoundCell[], unit: PaperTable['unit']): Ours {
  const each = cells.map((cell) => oursOf(cell, unit).ours);
  if (!each.every((one) => one !== null)) return { ours: null };
  const isScored = each.every(({ low }) => low !== undefined);
  if (!isScored) return { ours: { value: mean(each.map(({ value }) => value)) } };
  const groups = groupedBy([...cells.keys()], (i) => {
    const cell = cells[i];
    return cell && 'place' in cell ? JSON.stringify([cell.place.dataset, cell.place.slice]) : '';
  });
  const terms = [...groups.values()].map((own) => {
    const [only] = own.map((i) => each[i]);
    const joined =
      own.length === 1
        ? only
        : meanOfQuestions(
            own.map((i) => cells[i]),
            unit,
          );
    return joined && { ...intervalOf(joined), weight: own.length / cells.length };
  });
  return { ours: figureOf(sumInterval(terms.filter((one) => one !== undefined))) };
}

/**
 * Returns the mean over the questions that all of the cells have a score for; undefined without
 * any.
 */
function meanOfQuestions(
  cells: readonly FoundCell[],
  unit: PaperTable['unit'],
): Figure | undefined {
  const scores = cells.flatMap((cell) => {
    if (!cell || !('place' in cell) || !('metric' in cell.place.shows)) return [];
    return cellMetric(cell.figures, cell.place.shows.metric)?.scores ?? [];
  });
  const [first = new Map<string, number>()] = scores;
  const common = [...first.keys()].filter((id) => scores.every((one) => one.has(id)));
  if (common.length === 0) return undefined;
  const means = common.map((id) => mean(scores.map((one) => one.get(id) ?? Number.NaN)));
  const { mean: middle, low, high } = meanInterval(means);
  const scale = unit === 'percent' ? 100 : 1;
  return { value: scale * middle, low: scale * low, high: scale * high };
}

function oursOf(found: FoundCell, unit: PaperTable['unit']): Ours {
  if (!found) return { ours: null };
  if ('why' in found) return { ours: null, why: found.why };
  const { figures, place } = found;
  const { answers, planned, order } = figures;
  const counts = answers < planned ? { answers, planned } : {};
  const scale = unit === 'percent' ? 100 : 1;
  if ('other' in place.shows) {
    const value = otherFigure(figures, place.shows, scale);
    if (value === undefined) return { ours: null, why: answers === 0 ? NOT_YET : 'not known' };
    return { ours: { value }, questions: order.length, ...counts };
  }
  const metric = cellMetric(figures, place.shows.metric);
  const without = `no question has a score in ${place.shows.metric}`;
  if (!metric) return { ours: null, why: answers === 0 ? NOT_YET : without };
  const { correlate } = place.shows;
  if (correlate !== undefined) {
    const other = cellMetric(figures, correlate);
    const related = other && correlation(metric.scores, other.scores);
    if (!related) return { ours: null, why: `has no correlation with ${correlate}` };
    const { r, questions, ...interval } = related;
    return { ours: { value: r, ...interval }, questions, ...counts };
  }
  const { mean: middle, low, high } = scaledInterval(metric.mean, metric.range);
  // Values of a metric with a range are not shares.
  const by = metric.range ? 1 : scale;
  const ours = { value: by * middle, low: by * low, high: by * high };
  return { ours, questions: metric.questions, ...counts };
}

const NOT_YET = 'not asked yet';

/**
 * Returns a figure that is not a score, such as the calls of `per` questions or the reject rate;
 * undefined if it is unknown. Tokens of cached calls count.
 */
function otherFigure(
  { usage, answers, costUsd, searches, workingSeconds, figures, order }: CellFigures,
  { other, per }: Extract<CellPlace['shows'], { other: string }>,
  scale: number,
): number | undefined {
  if (other === 'questions') return order.length;
  if (answers === 0) return undefined;
  const rates = figures.flatMap(({ rejectRate }) => rejectRate ?? []);
  if (other === 'rejectRate') return rates.length === 0 ? undefined : scale * mean(rates);
  if (usage.answersWithoutUsage !== undefined) return undefined;
  const calls = usage.calls / answers;
  const paid = paidCalls(usage);
  // Cached calls record no tokens, so each counts with the mean of the paid ones.
  const ofCall = paid === 0 ? undefined : (usage.promptTokens + usage.completionTokens) / paid;
  if (other === 'tokensPerCall') return ofCall;
  const ofQuestion = {
    calls,
    tokens: ofCall === undefined ? undefined : calls * ofCall,
    costUsd: costUsd ?? undefined,
    searches: searches ?? undefined,
    seconds: workingSeconds,
  }[other];
  return ofQuestion === undefined ? undefined : per * ofQuestion;
}

function theirsAt({ rows }: PaperTable, row: number, column: number): Figure | null {
  const figure = rows[row]?.figures?.[column] ?? null;
  if (figure === null) return null;
  if (!Array.isArray(figure)) return { value: figure };
  const [value, low, high] = figure;
  return { value, low, high };
}

function intervalOf({ value, low = value, high = value }: Figure): Interval {
  return { mean: value, low, high };
}

function figureOf({ mean, low, high }: Interval): Figure {
  return { value: mean, low, high };
}

/** Returns ours minus theirs; without an interval if ours has none, null if one is missing. */
function differenceOf(ours: Figure | null, theirs: Figure | null): Figure | null {
  if (!ours || !theirs) return null;
  const difference = sumInterval([
    { ...intervalOf(ours), weight: 1 },
    { ...intervalOf(theirs), weight: -1 },
  ]);
  return ours.low === undefined ? { value: difference.mean } : figureOf(difference);
}

/** Returns the number of decimals in a column of the paper. */
function digitsOf({ rows, columns, unit }: PaperTable, column: number): number {
  const decimals = rows.flatMap(({ figures }) => {
    const [value = null] = [figures?.[column] ?? null].flat();
    return value === null ? [] : (String(value).split('.')[1] ?? '').length;
  });
  if (decimals.length > 0) return Math.max(...decimals);
  const { correlate, shows } = columns[column] ?? {};
  if (shows === 'questions') return 0;
  return unit === 'percent' && correlate === undefined ? 1 : 2;
}

function notesOn(
  { lacks = [], asked, noFigures }: PaperTable,
  cells: readonly (readonly ReproducedCell[])[],
): string[] {
  const all = cells.flat();
  const hasTheirs = all.some(({ theirs }) => theirs !== null);
  const hasCounts = all.some(({ theirs, isCount }) => theirs !== null && isCount);
  const isCertain = all.every(({ theirs }) => theirs === null || theirs.low === undefined);
  return [
    ...(asked === undefined ? [] : [`The paper: ${asked}.`]),
    ...(noFigures === undefined ? [] : [`Without figures of the paper: ${noFigures}.`]),
    ...(lacks.length === 0 ? [] : [`Different from the paper: ${lacks.join('; ')}.`]),
    ...(hasCounts ? ['Numbers of questions have no difference, since a sample has fewer.'] : []),
    'In brackets: 95 % interval.',
    ...(hasTheirs && isCertain
      ? ['The paper prints no intervals, so the interval of a difference includes only our error.']
      : []),
  ];
}

/**
 * Returns one sentence for each reason why cells of a reproduced table have no figure of ours,
 * with the names of the cells, or their number if there are more than 4.
 */
export function missingOf(made: ReproducedTable): string[] {
  const reasons = new Map<string, string[]>();
  for (const row of made.rows) {
    row.cells.forEach(({ why }, k) => {
      const column = made.columns[k];
      if (why === undefined || !column) return;
      reasons.set(why, [...(reasons.get(why) ?? []), `${lineName(row)}, ${lineName(column)}`]);
    });
  }
  return [...reasons].map(([why, names]) =>
    names.length > 4
      ? `No figure of ours in ${names.length} cells: ${why}.`
      : `No figure of ours for ${names.join('; ')}: ${why}.`,
  );
}
