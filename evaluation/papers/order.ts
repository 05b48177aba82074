/** Compares the order of the methods in a reproduced table with the paper's. Pure. */
import { groupedBy } from '../../core/grouped-by.js';
import { type Comparison, comparePairs, type Pair } from '../comparisons/compare-pairs.js';
import type { ShownMetric } from '../runs/metrics.js';
import { differenceText, plural } from '../runs/number-text.js';
import { type CellFigures, cellMetric } from '../study/cell-figures.js';
import type { CellSlice } from '../study/study-scores.js';
import { type CellPlace, type CellSource, lineName, type PaperTable } from './paper-table.js';

/**
 * The cell of the study that a cell of the table shows (`place`), with its `figures`, or the
 * reason why there is none (`why`); undefined if the study does not have it, and for a mean over
 * cells.
 */
export type FoundCell = { figures: CellFigures; place: CellPlace } | { why: string } | undefined;

/** A cell of a table whose score is compared with others of the same data set and metric. */
interface Ranked {
  row: number;
  column: number;
  dataset: string;
  slice: string | undefined;
  metric: string;
  figures: CellFigures;
}

/**
 * Returns one sentence for each data set, slice and metric of which a table has two or more cells
 * to compare, on whether our cells have the same order as the paper's.
 *
 * Two of our cells are ordered if the interval of their paired difference excludes 0, with all
 * pairs of the table corrected together. Two cells of the paper are ordered if their figures differ
 * and, if it prints intervals, these do not overlap. Means over data sets, effort, correlations,
 * and cells without a figure of the paper are left out.
 *
 * @param sources For each row and column, what the cell shows.
 * @param found For each row and column, the cell of the study.
 */
export function orderFindings(
  table: PaperTable,
  sources: readonly (readonly CellSource[])[],
  found: readonly (readonly FoundCell[])[],
): string[] {
  const ranked = sources.flatMap((row, i) =>
    row.flatMap((source, k): Ranked[] => {
      const cell = found[i]?.[k];
      if (source.of !== 'study' || !cell || 'why' in cell) return [];
      const { shows, dataset, slice } = source.place;
      if (!('metric' in shows) || shows.correlate !== undefined) return [];
      if (!cellMetric(cell.figures, shows.metric)) return [];
      if ((table.rows[i]?.figures?.[k] ?? null) === null) return [];
      return [{ row: i, column: k, dataset, slice, metric: shows.metric, figures: cell.figures }];
    }),
  );
  const groups = groupedBy(ranked, ({ dataset, slice, metric }) =>
    JSON.stringify([dataset, slice, metric]),
  );
  const pairs = [...groups.values()].flatMap(pairsOf);
  const compared = comparedPairs(pairs);
  return [...groups.values()].flatMap((group) => {
    const own = pairsOf(group);
    if (own.length === 0) return [];
    return [findingText(table, group, own, (pair) => compared.get(keyOf(pair)))];
  });
}

type RankedPair = readonly [first: Ranked, second: Ranked];

/** Returns all pairs of different experiments. */
function pairsOf(group: readonly Ranked[]): RankedPair[] {
  return group.flatMap((first, at) =>
    group
      .slice(at + 1)
      .filter(({ figures }) => figures !== first.figures)
      .map((second): RankedPair => [first, second]),
  );
}

/**
 * Compares each pair once in the metrics of its data set, all as one family. Returns the
 * comparisons by pair and metric.
 */
function comparedPairs(
  pairs: readonly RankedPair[],
): ReadonlyMap<string, Comparison<Pair<CellFigures>>> {
  const unique = new Map<string, Pair<CellFigures>>();
  const metrics = new Map<string, ShownMetric[]>();
  for (const [first, second] of pairs) {
    const key = experimentsKey(first.figures, second.figures);
    unique.set(key, { first: first.figures, second: second.figures });
    const { dataset, metric } = first;
    const own = metrics.get(dataset) ?? [];
    const shown = cellMetric(first.figures, metric);
    if (shown && !own.some((one) => one.metric === metric)) metrics.set(dataset, [...own, shown]);
  }
  const found = comparePairs([...unique.values()], { metrics });
  return new Map(
    found.map((one) => [`${experimentsKey(one.pair.first, one.pair.second)} ${one.metric}`, one]),
  );
}

function keyOf([first, second]: RankedPair): string {
  return `${experimentsKey(first.figures, second.figures)} ${first.metric}`;
}

function experimentsKey(
  ...cells: readonly (CellFigures & Partial<Pick<CellSlice, 'slice'>>)[]
): string {
  return JSON.stringify(
    cells.map(({ method, dataset, model, slice }) => [method, dataset, model, slice?.value]),
  );
}

/**
 * Returns 1 if the paper shows the first figure to be higher, -1 if it shows it to be lower, and 0
 * if neither.
 */
function theirOrder(
  first: NonNullable<PaperTable['rows'][number]['figures']>[number] | undefined,
  second: typeof first,
): number {
  if (first === undefined || first === null || second === undefined || second === null) return 0;
  const [one, low = one, high = one] = [first].flat();
  const [other, otherLow = other, otherHigh = other] = [second].flat();
  if (one === undefined || other === undefined) return 0;
  const isMet = Array.isArray(first) && Array.isArray(second);
  if (isMet && Number(low) <= Number(otherHigh) && Number(otherLow) <= Number(high)) return 0;
  return Math.sign(one - other);
}

function findingText(
  table: PaperTable,
  group: readonly Ranked[],
  pairs: readonly RankedPair[],
  comparisonOf: (pair: RankedPair) => Comparison<Pair<CellFigures>> | undefined,
): string {
  const nameOf = namer(table, group);
  const figureAt = ({ row, column }: Ranked) => table.rows[row]?.figures?.[column];
  const meant = pairs.filter(([first, second]) => theirOrder(figureAt(first), figureAt(second)));
  let [same, open]: [number, number] = [0, 0];
  const reversed: string[] = [];
  for (const pair of meant) {
    const comparison = comparisonOf(pair);
    const decision = comparison?.decision;
    const [first, second] = pair;
    const theirs = theirOrder(figureAt(first), figureAt(second));
    const ours = decision === 'better' ? 1 : decision === 'worse' ? -1 : 0;
    if (ours === 0 || !comparison) open += 1;
    else if (ours === theirs) same += 1;
    else {
      const { mean, low, high } = comparison.difference;
      const [middle, least, most] = [mean, low, high].map((one) => differenceText(one, comparison));
      reversed.push(`${nameOf(first)} minus ${nameOf(second)} is ${middle} (${least} to ${most})`);
    }
  }
  const where = placeName(table, group);
  const stand = `${same} of ${plural(meant.length, 'pair')} as in the paper`;
  const rest = open > 0 ? `, ${open} ${open === 1 ? 'is' : 'are'} not decided` : '';
  if (meant.length === 0) return `${where}: the paper's figures decide no order.`;
  if (reversed.length > 0) {
    return `${where}: the order is not the paper's: ${reversed.join('; ')}. ${stand}${rest}.`;
  }
  if (open > 0) return `${where}: not decided whether the order is the paper's: ${stand}${rest}.`;
  return `${where}: the order is the paper's, in all ${plural(meant.length, 'pair')}.`;
}

/** Returns a function that names the cells of a group: by their rows, their columns, or both. */
function namer({ rows, columns }: PaperTable, group: readonly Ranked[]): (cell: Ranked) => string {
  const isOneColumn = new Set(group.map(({ column }) => column)).size === 1;
  const isOneRow = new Set(group.map(({ row }) => row)).size === 1;
  return ({ row, column }) => {
    const [ofRow, ofColumn] = [rows[row], columns[column]].map((line) => line && lineName(line));
    if (isOneColumn) return ofRow ?? '';
    return isOneRow ? (ofColumn ?? '') : `${ofRow} ${ofColumn}`;
  };
}

/**
 * Returns the name of a group: its only column or row, with the heading that the other lines share,
 * or data set and metric.
 */
function placeName({ rows, columns }: PaperTable, group: readonly Ranked[]): string {
  const [first] = group;
  if (!first) return '';
  const shared = (headings: readonly (string | undefined)[]) => {
    const [heading] = headings;
    return heading !== undefined && headings.every((one) => one === heading) ? `, ${heading}` : '';
  };
  const column = columns[first.column];
  const row = rows[first.row];
  if (column && group.every((cell) => cell.column === first.column)) {
    return lineName(column) + shared(group.map((cell) => rows[cell.row]?.group));
  }
  if (row && group.every((cell) => cell.row === first.row)) {
    return lineName(row) + shared(group.map((cell) => columns[cell.column]?.group));
  }
  return `${first.dataset} ${cellMetric(first.figures, first.metric)?.title ?? first.metric}`;
}
