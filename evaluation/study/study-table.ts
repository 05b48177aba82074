import { isSameCell } from '../../core/study/cells.js';
import { optionTexts } from '../runs/run-labels.js';
import { compareScores, ENOUGH, LEVEL, testedTogether } from '../statistics/compare-scores.js';
import { type CellFigures, type CellMetric, cellMetric } from './cell-figures.js';
import { decisionText, savedText } from './decision-text.js';
import type { StudyComparison, StudyScores } from './study-scores.js';

/** What the cells of a table show: scores, or a figure of effort a question, or a metric by name. */
export type Shown = 'score' | 'cost' | 'calls' | 'time' | { metric: string };

export type Unit = 'percent' | 'dollars' | 'calls' | 'seconds';

export interface TableCell {
  /** As it is: a share from 0 to 1, US dollars, calls or seconds. */
  value: number;
  /** At 95 %, clustered by question; of scores only. */
  low?: number;
  high?: number;
  /** Standard deviation between repeats; of scores with two or more. */
  spread?: number;
  repeats: number;
  questions: number;
  /** Of scores: the highest of its column, or not shown to be lower than that. */
  isBest: boolean;
  /** Shown to differ from the baseline of its model. */
  differs?: 'better' | 'worse';
}

export interface TableRow {
  method: string;
  /** Options in which cells of this method differ, such as "candidates 3"; else nothing. */
  options: string;
  model: string;
  isBaseline: boolean;
  /** By column; undefined where there is no such cell, or no figure yet. */
  cells: (TableCell | undefined)[];
}

export interface StudyTable {
  study: string;
  unit: Unit;
  columns: { dataset: string; title: string }[];
  rows: TableRow[];
  /** What a reader needs to know of the figures and the marks, a sentence each. */
  notes: string[];
  /** How each comparison ended, and what was saved; only where the study stops when it is decided. */
  decisions?: string[];
}

const EFFORT = {
  cost: { unit: 'dollars', title: '$ a question', of: ({ costUsd }: CellFigures) => costUsd },
  calls: {
    unit: 'calls',
    title: 'calls a question',
    of: ({ usage, answers }: CellFigures) => (answers > 0 ? usage.calls / answers : null),
  },
  time: { unit: 'seconds', title: 'seconds, median', of: ({ seconds }: CellFigures) => seconds },
} as const;

/** The table of a study, to be rendered in any format. */
export function studyTable(scores: StudyScores, shown: Shown = 'score'): StudyTable {
  const { study, cells, mains } = scores;
  const datasets = [...new Set(cells.map(({ dataset }) => dataset))];
  const effort = typeof shown === 'string' && shown !== 'score' ? EFFORT[shown] : undefined;
  const metricOf = (dataset: string) =>
    typeof shown === 'string' ? mains.get(dataset)?.metric : shown.metric;
  // A test of fixed size does not hold where one has looked at it to stop.
  const best =
    effort || study.untilDecided
      ? new Set<CellFigures>()
      : new Set(datasets.flatMap((dataset) => bestOf(inColumn(cells, dataset), metricOf(dataset))));
  const rowKeys = new Map(
    cells.map(({ method, model }) => [JSON.stringify([method, model]), { method, model }]),
  );
  const rows = [...rowKeys.values()].map(({ method, model }): TableRow => {
    const ofRow = cells.filter((cell) => cell.method === method && cell.model === model);
    return {
      ...{ method, model, options: optionsText(ofRow[0], cells) },
      isBaseline: method === study.baseline,
      cells: datasets.map((dataset) => {
        const cell = ofRow.find((one) => one.dataset === dataset);
        if (!cell) return undefined;
        if (effort) return effortCell(cell, effort.of(cell));
        const metric = cellMetric(cell, metricOf(dataset) ?? '');
        const comparison = scores.comparisons.find((one) => isSameCell(one, cell));
        return metric && scoreCell(cell, metric, best.has(cell), comparison);
      }),
    };
  });
  const columns = datasets.map((dataset) => ({
    dataset,
    title: effort?.title ?? titleOf(inColumn(cells, dataset), metricOf(dataset)),
  }));
  const unit = effort?.unit ?? 'percent';
  const notes = notesOn(scores, rows, effort);
  const decisions = study.untilDecided && !effort && { decisions: decisionsOf(scores) };
  return { study: study.name, unit, columns, rows, notes, ...decisions };
}

function decisionsOf({ study: { baseline = '' }, comparisons, cells }: StudyScores): string[] {
  const told = comparisons.flatMap(({ method, dataset, model, title, decision }) =>
    decision
      ? `${method}, ${dataset}, ${model}: ${title}: ${decisionText(decision, baseline)}.`
      : [],
  );
  return [...told, savedText(cells)];
}

function inColumn(cells: readonly CellFigures[], dataset: string): CellFigures[] {
  return cells.filter((cell) => cell.dataset === dataset);
}

function titleOf(cells: readonly CellFigures[], metric = ''): string {
  return cells.flatMap((cell) => cellMetric(cell, metric)?.title ?? [])[0] ?? metric;
}

function effortCell(cell: CellFigures, value: number | null | undefined): TableCell | undefined {
  if (value === null || value === undefined) return undefined;
  const { figures, order } = cell;
  return { value, repeats: figures.length, questions: order.length, isBest: false };
}

function scoreCell(
  cell: CellFigures,
  { metric, mean, questions, spread }: CellMetric,
  isBest: boolean,
  comparison: StudyComparison | undefined,
): TableCell {
  const isOfMetric = comparison?.metric === metric;
  const { finding } = comparison ?? {};
  const differs = isOfMetric && (finding === 'better' || finding === 'worse') && finding;
  return {
    ...{ value: mean.mean, low: mean.low, high: mean.high },
    ...(spread !== undefined && { spread }),
    ...{ repeats: cell.figures.length, questions, isBest },
    ...(differs && { differs }),
  };
}

/**
 * The cell with the highest mean, and those that the paired test does not show to be lower: Holm's
 * correction over all of them. Nothing where cells have fewer than 20 questions in common with it.
 */
function bestOf(cells: readonly CellFigures[], name = ''): CellFigures[] {
  const scored = cells.flatMap((cell) => {
    const metric = cellMetric(cell, name);
    return metric && metric.questions >= ENOUGH ? [{ cell, metric }] : [];
  });
  if (scored.length < 2) return [];
  const [top, ...others] = scored.sort((a, b) => b.metric.mean.mean - a.metric.mean.mean);
  if (!top) return [];
  const tests = others.flatMap(({ cell, metric: { scores } }) => {
    const common = [...scores.keys()].filter((id) => top.metric.scores.has(id));
    if (common.length < ENOUGH) return [];
    return [{ cell, difference: compareScores(top.metric.scores, scores).difference }];
  });
  const tested = testedTogether(tests.map(({ difference }) => difference));
  const alike = tests.filter(({ difference }) => (tested(difference).corrected ?? 1) >= LEVEL);
  return [top.cell, ...alike.map(({ cell }) => cell)];
}

/** The options that differ among the cells of one method: what is shared is left out. */
function optionsText(cell: CellFigures | undefined, cells: readonly CellFigures[]): string {
  const manifest = cell?.figures[0]?.manifest;
  const all = cells.flatMap(({ figures }) => figures[0]?.manifest ?? []);
  return manifest ? optionTexts(manifest, all).join(', ') : '';
}

function notesOn({ study }: StudyScores, rows: readonly TableRow[], effort?: object): string[] {
  if (effort) return [];
  const cells = rows.flatMap((row) => row.cells.filter((cell) => cell !== undefined));
  const has = (holds: (cell: TableCell) => unknown) => cells.some((cell) => holds(cell));
  const hasSpread = has(({ spread }) => spread !== undefined);
  const hasInterval = has(({ spread }) => spread === undefined);
  const ranges = [
    ...(hasSpread ? ['standard deviation between repeats'] : []),
    ...(hasInterval ? ['95 % interval'] : []),
  ];
  const notes = [`Mean with its ${ranges.join(' or ')}.`];
  if (has(({ isBest }) => isBest)) {
    notes.push('Marked as best: the highest mean, and what is not shown to be lower than it.');
  }
  if (study.baseline !== undefined) {
    const test = study.untilDecided
      ? 'sequential test, alpha split over all comparisons'
      : 'paired test, corrected by Holm over all comparisons';
    notes.push(`Marked with a dagger: differs from ${study.baseline} (${test}).`);
  }
  return notes;
}
