import { groupedBy } from '../../core/grouped-by.js';
import { isSameCell } from '../../core/study/cells.js';
import type { MetricGroup } from '../runs/metrics.js';
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
  /** Answers there are over all repeats, and how many there will be. */
  answers: number;
  planned: number;
  /** Of the answers: those that failed or could not be read count 0, "unknown" as it scores. */
  failed: number;
  unreadable: number;
  unknown: number;
  /**
   * Of scores: the highest of its column, or not shown to be lower than that. A cell without an
   * answer never is.
   */
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

/** What a table shows in place of scores: its columns for each data set. */
interface Effort {
  unit: Unit;
  columns: readonly { title: string; of: (cell: CellFigures) => number | null | undefined }[];
}

const EFFORT: Record<'cost' | 'calls' | 'time', Effort> = {
  cost: { unit: 'dollars', columns: [{ title: '$ a question', of: ({ costUsd }) => costUsd }] },
  calls: {
    unit: 'calls',
    columns: [
      {
        title: 'calls a question',
        of: ({ usage, answers }) => (answers > 0 ? usage.calls / answers : null),
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
};

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
      cells: datasets.flatMap((dataset) => {
        const cell = ofRow.find((one) => one.dataset === dataset);
        if (effort) return effort.columns.map(({ of }) => cell && effortCell(cell, of(cell)));
        if (!cell) return [undefined];
        const metric = cellMetric(cell, metricOf(dataset) ?? '');
        const comparison = scores.comparisons.find((one) => isSameCell(one, cell));
        return [metric && scoreCell(cell, metric, best.has(cell), comparison)];
      }),
    };
  });
  const columns = datasets.flatMap((dataset) => {
    const score = [{ title: titleOf(inColumn(cells, dataset), metricOf(dataset)) }];
    return (effort?.columns ?? score).map(({ title }) => ({ dataset, title }));
  });
  const unit = effort?.unit ?? 'percent';
  const notes = [
    ...notesOn(scores, rows, effort),
    ...notesOnMissing(cells, (cell) => {
      if (effort) return 'notScored';
      return cellMetric(cell, metricOf(cell.dataset) ?? '')?.group ?? 'answer';
    }),
  ];
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
  return { value, ...countsOf(cell), questions: cell.order.length, isBest: false };
}

function countsOf({ figures, answers, planned, outcomes }: CellFigures) {
  const { failed, unreadable, unknown } = outcomes;
  return { repeats: figures.length, answers, planned, failed, unreadable, unknown };
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
    ...countsOf(cell),
    questions,
    isBest,
    ...(differs && { differs }),
  };
}

/**
 * The cell with the highest mean, and those that the paired test does not show to be lower: Holm's
 * correction over all of them. Nothing where cells have fewer than 20 questions in common with it, and
 * no cell without an answer, whatever the test cannot show.
 */
function bestOf(cells: readonly CellFigures[], name = ''): CellFigures[] {
  const scored = cells.flatMap((cell) => {
    const metric = cellMetric(cell, name);
    if (!metric || metric.questions < ENOUGH) return [];
    // Where it is right to say that one does not know, that is an answer too.
    return cell.outcomes.answered > 0 || metric.mean.mean > 0 ? [{ cell, metric }] : [];
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
  if (has(({ answers, planned }) => answers < planned)) {
    notes.push(
      'A cell that says of how many answers it is has not ended: its mean and interval are of these.',
    );
  }
  return notes;
}

/** How a table treats answers that failed, by what its column shows. */
const FAILED: Record<MetricGroup | 'notScored', string> = {
  answer: 'Failed answers count as 0',
  judged: 'Failed answers count as 0',
  retrieval: 'Failed answers are left out',
  notScored: 'Failed answers',
};

/** Says of which cells how many answers failed or could not be read; nothing if none did. */
function notesOnMissing(
  cells: readonly CellFigures[],
  shownOf: (cell: CellFigures) => keyof typeof FAILED,
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
        of: `${count} of ${cell.answers} of ${cellName(cell, cells)}`,
      }));
  });
  const byNote = groupedBy(parts, ({ note }) => note);
  return [...byNote].map(([note, found]) => `${note}: ${found.map(({ of }) => of).join('; ')}.`);
}

/** The name of a cell, with its data set and model if the study has several. */
function cellName({ method, dataset, model }: CellFigures, cells: readonly CellFigures[]): string {
  const several = (label: 'dataset' | 'model') =>
    new Set(cells.map((cell) => cell[label])).size > 1;
  return `${method}${several('dataset') ? ` on ${dataset}` : ''}${several('model') ? ` with ${model}` : ''}`;
}
