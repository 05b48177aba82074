/** Computes the scores of a study's cells and their differences, from the answers of its runs. */
import { groupedBy } from '../../core/grouped-by.js';
import { badInput } from '../../core/options/problems.js';
import type { StudyCells } from '../../core/study/cell.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import { type Comparison, comparePairs, type Pair } from '../comparisons/compare-pairs.js';
import {
  checkGroups,
  type GroupFields,
  MOST_SLICES,
  shownValue,
  slicedByMetric,
  sliceValues,
} from '../comparisons/question-groups.js';
import { checkNamed, metricOf, testedMetrics } from '../comparisons/tested-metrics.js';
import { experimentsOf } from '../runs/cells.js';
import { wholeOnly } from '../runs/compare.js';
import { splitRuns } from '../runs/run-parts.js';
import { openRun, type RunSource } from '../runs/run-source.js';
import { twoSidedTail } from '../statistics/distributions.js';
import { differenceInterval, LEVEL } from '../statistics/paired-difference.js';
import { mean } from '../statistics/repeats.js';
import { type Cell, type CellFigures, cellFigures, cellMetric } from './cell-figures.js';
import { experimentsIn, familyOf, meantPairs, notesOnExperiments } from './meant-pairs.js';

/** A cell less the baseline's of the same data set and model, in one metric. */
export type StudyComparison = Comparison<Pair<CellFigures>>;

/** The scores of the cells of a study, and the differences between them: see `studyScores`. */
export type StudyScores = Awaited<ReturnType<typeof studyScores>>;

/**
 * A metric, and the values of it, in the unit of tables, above which the questions of a cell are told.
 * Without values it is every one that a question has.
 */
export interface Above {
  metric: string;
  values?: readonly number[] | undefined;
}

/** How the cells of a study are told and compared. */
interface StudyOptions extends GroupFields {
  /**
   * Tells each cell by those of its questions that reach a value of this metric, as of a verification's
   * score; nothing is compared then. Not beside `by`.
   */
  above?: Above | undefined;
  /** US dollars that may still be spent; a comparison that needs more ends. */
  leftUsd?: number | undefined;
  /** Names or titles of the metrics that are compared. @default those that the study names */
  metrics?: readonly string[] | undefined;
}

/** Returns a run by name; undefined if it has not begun. */
export type OpenRun = (run: string) => Promise<RunSource | undefined>;

/** Returns a function that opens the runs of a store by name. */
export function runsOf(store: RunStore): OpenRun {
  return async (run) => ((await store.manifest(run)) ? openRun(store, run) : undefined);
}

/**
 * Reads the runs of a study answer by answer, and adds them up. Compared is what the study says: each
 * cell with the baseline's of its data set and model, in its metrics, or in the main one of the data
 * set if it names none. All of these are one family: see `comparePairs`.
 *
 * @throws Failure BadInput for a metric of the options that no cell has a score in, and for one with
 *   more than 50 values to tell cells above.
 * @example const scores = await studyScores(record, runsOf(store))
 */
export async function studyScores(study: StudyCells, open: OpenRun, options: StudyOptions = {}) {
  const { by, above, cluster = study.cluster } = options;
  if (by !== undefined && above) throw badInput('above', 'has no place beside "by"');
  const flags = { by, above, cluster };
  const flag = (['by', 'above', 'cluster'] as const).find((name) => flags[name] !== undefined);
  if (flag && study.untilDecided) throw wholeOnly(flag, study);
  const whole: CellFigures[] = [];
  for (const cell of study.cells) {
    for (const { labels, sources } of await experimentsOfCell(cell, open)) {
      whole.push(await cellFigures(labels, sources, { by, cluster }));
    }
  }
  const cells = slicedByMetric(whole, by);
  checkGroups(cells, options.cluster === undefined ? 'study' : undefined);
  if (options.metrics) {
    const there = cells.flatMap((cell) => cell.metrics);
    checkNamed('metrics', options.metrics, there);
  }
  const metrics = testedMetrics(cells, options.metrics ?? study.metrics);
  const pairs = meantPairs(study, cells);
  const isDeclared = options.metrics === undefined;
  const family = familyOf(study, isDeclared ? pairs : undefined, options.leftUsd);
  const comparisons = above ? [] : comparePairs(pairs, { metrics, ...family });
  return {
    study,
    /** Cells in the order of the study. */
    cells,
    /** The metrics that are compared, by data set. */
    metrics,
    /** The declared comparisons, each in every metric. */
    comparisons,
    /** The cells again, of a part of their questions each; empty unless `by` or `above` is named. */
    slices: await slicesOf(cells, above ? partsAbove(cells, above) : partsBy(cells, by), cluster),
    /** Notes on cells that are parts of a declared one. */
    notes: notesOnExperiments(
      study,
      cells.map((cell) => ({ ...cell, holds: cell.sources.map(heldBy).join('; ') })),
    ),
    /** Differences combined over the data sets. */
    combined: combinedDifferences(comparisons),
  };
}

/** A cell as far as its questions are of a slice. */
export interface CellSlice extends CellFigures {
  whole: CellFigures;
  slice: { field: string; value: string };
}

/** Returns the experiments that the runs of a cell are: one, unless some were changed. */
async function experimentsOfCell(
  cell: StudyCells['cells'][number],
  open: OpenRun,
): Promise<{ labels: Cell; sources: RunSource[] }[]> {
  const opened = await Promise.all(cell.runs.map(open));
  const begun = await splitRuns(opened.filter((source) => source !== undefined));
  const groups = experimentsOf(begun);
  if (groups.length < 2) return [{ labels: cell, sources: begun }];
  return experimentsIn(cell, groups.length).map((labels, i) => {
    const sources = (groups[i] ?? []).flatMap((position) => begun[position] ?? []);
    return { labels: { ...labels, runs: sources.map(({ manifest }) => manifest.run) }, sources };
  });
}

/** Returns which answers a run holds, in words. */
function heldBy({ part, manifest }: RunSource): string {
  return part ?? manifest.run;
}

/** A part of the questions of cells that is told on its own, and which they are of a cell. */
interface Part {
  field: string;
  value: string;
  has: (cell: CellFigures) => ((id: string) => boolean) | undefined;
}

/** Returns the questions of each value of a field. */
function partsBy(cells: readonly CellFigures[], by: string | undefined): Part[] {
  if (by === undefined) return [];
  const [field = by] = cells.flatMap(({ slices }) => slices?.field ?? []);
  return sliceValues(cells).map((value) => ({
    field,
    value,
    has: ({ slices }) => slices && ((id) => slices.of.get(id) === value),
  }));
}

/** Returns the questions that reach each value of a metric. */
function partsAbove(cells: readonly CellFigures[], { metric: name, values }: Above): Part[] {
  const all = cells.flatMap((cell) => cell.metrics);
  checkNamed('above', [name], all);
  const metric = metricOf(name, all)?.metric ?? name;
  const valuesOf = (cell: CellFigures) => {
    const { scores, range } = cellMetric(cell, metric) ?? {};
    return scores && new Map([...scores].map(([id, score]) => [id, shownValue(score, range)]));
  };
  const found = new Map(cells.map((cell) => [cell, valuesOf(cell)]));
  const there = new Set([...found.values()].flatMap((own) => [...(own?.values() ?? [])]));
  const asked = [...new Set(values ?? there)].sort((a, b) => a - b);
  if (asked.length > MOST_SLICES) {
    const problem = `"${metric}" has ${asked.length} values, and there is room for ${MOST_SLICES}`;
    throw badInput('above', problem);
  }
  return asked.map((value) => ({
    field: `${metric} from`,
    value: String(value),
    has: (cell) => {
      const own = found.get(cell);
      return own && ((id) => (own.get(id) ?? -Infinity) >= value);
    },
  }));
}

/** Reads the cells part by part: the answers of each part, and nothing of the others. */
async function slicesOf(
  cells: readonly CellFigures[],
  parts: readonly Part[],
  cluster: string | undefined,
): Promise<CellSlice[]> {
  const found: CellSlice[] = [];
  for (const { field, value, has } of parts) {
    for (const whole of cells) {
      const { method, partOf, dataset, model, runs } = whole;
      const labels = { method, dataset, model, runs, ...(partOf !== undefined && { partOf }) };
      const isIn = has(whole);
      if (!isIn || !whole.order.some(isIn)) continue;
      const sources = whole.sources.map((source) => inPart(source, isIn));
      const figures = await cellFigures(labels, sources, { cluster });
      found.push({ ...figures, whole, slice: { field, value } });
    }
  }
  return found;
}

/** A run with the questions of a part alone. */
function inPart(source: RunSource, isIn: (id: string) => boolean): RunSource {
  return {
    ...source,
    async *questions() {
      for await (const question of source.questions()) {
        if (isIn(question.id)) yield question;
      }
    },
  };
}

/**
 * Returns the mean of the differences of each method and model, in each metric, over the data sets, if
 * there are two or more. The data sets are strata: the error of the mean is that of the differences
 * within them, and how much they differ from each other is no part of it. Not corrected for several
 * comparisons. The distribution is that of each difference: of clusters Student's, with the degrees
 * of freedom of Satterthwaite, Biometrics Bulletin 2 (1946) 110-114, rounded down.
 */
function combinedDifferences(comparisons: readonly StudyComparison[]) {
  const concluded = comparisons.filter(({ p, sequential }) => p !== null && !sequential);
  const groups = groupedBy(concluded, ({ pair: { first }, metric, slice }) =>
    JSON.stringify([first.method, first.model, metric, slice?.value]),
  );
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      const middle = mean(group.map(({ difference }) => difference.mean));
      const variances = group.map(({ difference, count }) => (1 - difference.mean ** 2) / count);
      const count = ((1 - middle ** 2) * group.length) / mean(variances);
      const [first] = group;
      const freedom =
        first?.cluster === undefined
          ? undefined
          : Math.floor(
              sum(variances) ** 2 /
                sum(group.map(({ draws }, i) => (variances[i] ?? 0) ** 2 / (draws - 1))),
            );
      return {
        method: first?.pair.first.method ?? '',
        model: first?.pair.first.model ?? '',
        metric: first?.metric ?? '',
        datasets: group.map(({ pair }) => pair.first.dataset),
        questions: group.reduce((total, { questions }) => total + questions, 0),
        /** 95 % interval, for these data sets only and not for data sets in general. */
        difference: differenceInterval(
          { mean: middle, count, ...(freedom !== undefined && { freedom }) },
          LEVEL,
        ),
        p: twoSidedTail(Math.sqrt(count) * middle, freedom),
      };
    });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
