/**
 * Computes the scores of a study's cells and the differences between them from the answers of its
 * runs.
 */
import { groupedBy } from '../../core/grouped-by.js';
import { badInput } from '../../core/options/problems.js';
import type { StudyCells } from '../../core/study/cell.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import { type Comparison, comparePairs, type Pair } from '../comparisons/compare-pairs.js';
import {
  checkGroups,
  type GroupFields,
  MAX_SLICES,
  shownValue,
  slicedByMetric,
  sliceValues,
} from '../comparisons/question-groups.js';
import { checkMetricNames, metricNamed, testedMetrics } from '../comparisons/tested-metrics.js';
import { experimentsOf } from '../runs/cells.js';
import { splitStudyError } from '../runs/compare.js';
import { splitRuns } from '../runs/run-parts.js';
import { openRun, type RunSource } from '../runs/run-source.js';
import { twoSidedTail } from '../statistics/distributions.js';
import { differenceInterval, LEVEL } from '../statistics/paired-difference.js';
import { mean } from '../statistics/repeats.js';
import { type Cell, type CellFigures, cellFigures, cellMetric } from './cell-figures.js';
import {
  declaredFamily,
  declaredPairs,
  experimentLabels,
  notesOnExperiments,
} from './declared-pairs.js';

/**
 * The comparison of a cell with the baseline of its data set and model, in one metric: `pair` has
 * both cells, `difference` the mean of the cell minus that of the baseline, as a fraction, with
 * its interval.
 */
export type StudyComparison = Comparison<Pair<CellFigures>>;

/**
 * The figures of a study's cells and the comparisons between them, as `studyScores` returns them:
 * `study`, `cells`, compared `metrics` by data set, `comparisons`, `slices`, `notes`, and mean
 * differences over the data sets (`combined`).
 */
export type StudyScores = Awaited<ReturnType<typeof studyScores>>;

/**
 * Thresholds of a metric, in the unit of tables. For each, a table has figures of the questions
 * that reach it.
 */
interface MetricThresholds {
  metric: string;
  /** The thresholds. @default every value that a question has */
  values?: readonly number[] | undefined;
}

/** Options for the figures and comparisons of a study. */
interface StudyOptions extends GroupFields {
  /**
   * Splits each cell by the questions that reach thresholds of a metric, such as the score of a
   * verification. Nothing is compared then. Cannot be combined with `by`.
   */
  above?: MetricThresholds | undefined;
  /** US dollars that may still be spent. A comparison that needs more ends undecided. */
  leftUsd?: number | undefined;
  /** Names or titles of the metrics to compare. @default those that the study names */
  metrics?: readonly string[] | undefined;
}

/** An asynchronous function that returns a run by its name; undefined if it has not started. */
export type OpenRun = (run: string) => Promise<RunSource | undefined>;

/** Returns a function that opens the runs of a store by name. */
export function runsOf(store: RunStore): OpenRun {
  return async (run) => ((await store.manifest(run)) ? openRun(store, run) : undefined);
}

/**
 * Reads the runs of a study answer by answer, and returns an object with its `cells` and their
 * scores, the compared `metrics` by data set, the `comparisons`, the `slices` of the cells,
 * `notes`, and mean differences over the data sets (`combined`). Each cell is compared with the
 * baseline of its data set and model, in the metrics of the options, else those of the study, else
 * the main metric of the data set. All comparisons are one family: see `comparePairs`. With
 * `above` nothing is compared.
 *
 * @param open Returns a run by its name.
 * @throws Failure BadInput for a metric of the options in which no cell has a score, for fields as
 * `checkGroups`, for more than 50 thresholds, for `above` together with `by`, and for slices,
 * thresholds or clusters of a study that stops once it is decided.
 * @example const scores = await studyScores(record, runsOf(store))
 */
export async function studyScores(study: StudyCells, open: OpenRun, options: StudyOptions = {}) {
  const { by, above, cluster = study.cluster } = options;
  if (by !== undefined && above) throw badInput('above', 'cannot be combined with "by"');
  const flags = { by, above, cluster };
  const flag = (['by', 'above', 'cluster'] as const).find((name) => flags[name] !== undefined);
  if (flag && study.untilDecided) throw splitStudyError(flag, study);
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
    checkMetricNames('metrics', options.metrics, there);
  }
  const metrics = testedMetrics(cells, options.metrics ?? study.metrics);
  const pairs = declaredPairs(study, cells);
  const isDeclared = options.metrics === undefined;
  const family = declaredFamily(study, isDeclared ? pairs : undefined, options.leftUsd);
  const comparisons = above ? [] : comparePairs(pairs, { metrics, ...family });
  return {
    study,
    /** Cells in the order of the study. */
    cells,
    /** The compared metrics, by data set. */
    metrics,
    /** The declared comparisons, each in every metric. */
    comparisons,
    /** The cells split into slices of their questions; empty without `by` and `above`. */
    slices: await slicesOf(cells, above ? partsAbove(cells, above) : partsBy(cells, by), cluster),
    /** Notes on cells that are parts of a declared one. */
    notes: notesOnExperiments(
      study,
      cells.map((cell) => ({ ...cell, holds: cell.sources.map(heldBy).join('; ') })),
    ),
    /** Mean differences over the data sets, by method, model and metric. */
    combined: combinedDifferences(comparisons),
  };
}

/**
 * A cell of a study with its figures over one slice of its questions, the slice's field and value,
 * and the whole cell.
 */
export interface CellSlice extends CellFigures {
  /** Figures of the cell over all its questions. */
  whole: CellFigures;
  /** Field or metric by which the questions are sliced, and the value of this slice. */
  slice: { field: string; value: string };
}

/** Returns the experiments of a cell: one, unless some of its runs were changed. */
async function experimentsOfCell(
  cell: StudyCells['cells'][number],
  open: OpenRun,
): Promise<{ labels: Cell; sources: RunSource[] }[]> {
  const opened = await Promise.all(cell.runs.map(open));
  const begun = await splitRuns(opened.filter((source) => source !== undefined));
  const groups = experimentsOf(begun);
  if (groups.length < 2) return [{ labels: cell, sources: begun }];
  return experimentLabels(cell, groups.length).map((labels, i) => {
    const sources = (groups[i] ?? []).flatMap((position) => begun[position] ?? []);
    return { labels: { ...labels, runs: sources.map(({ manifest }) => manifest.run) }, sources };
  });
}

/** Returns the name of a run, or the description of a part of one. */
function heldBy({ part, manifest }: RunSource): string {
  return part ?? manifest.run;
}

/** A slice of the questions of all cells. */
interface Part {
  field: string;
  value: string;
  /**
   * Returns a function that returns whether a question of the cell is in the slice; undefined if
   * the cell has no slices.
   */
  has: (cell: CellFigures) => ((id: string) => boolean) | undefined;
}

/** Returns one part for each value of a field. */
function partsBy(cells: readonly CellFigures[], by: string | undefined): Part[] {
  if (by === undefined) return [];
  const [field = by] = cells.flatMap(({ slices }) => slices?.field ?? []);
  return sliceValues(cells).map((value) => ({
    field,
    value,
    has: ({ slices }) => slices && ((id) => slices.of.get(id) === value),
  }));
}

/** Returns one part for each threshold of a metric: the questions that reach it. */
function partsAbove(
  cells: readonly CellFigures[],
  { metric: name, values }: MetricThresholds,
): Part[] {
  const all = cells.flatMap((cell) => cell.metrics);
  checkMetricNames('above', [name], all);
  const metric = metricNamed(name, all)?.metric ?? name;
  const valuesOf = (cell: CellFigures) => {
    const { scores, range } = cellMetric(cell, metric) ?? {};
    return scores && new Map([...scores].map(([id, score]) => [id, shownValue(score, range)]));
  };
  const found = new Map(cells.map((cell) => [cell, valuesOf(cell)]));
  const there = new Set([...found.values()].flatMap((own) => [...(own?.values() ?? [])]));
  const asked = [...new Set(values ?? there)].sort((a, b) => a - b);
  if (asked.length > MAX_SLICES) {
    const problem = `"${metric}" has ${asked.length} values, and a table has at most ${MAX_SLICES} slices`;
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

/** Returns the figures of each cell on each part. */
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

/** Returns a run with the questions of a part only. */
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
 * Returns the mean difference over the data sets of each method and model, in each metric, if there
 * are two or more data sets. The data sets are strata: the standard error is that of the
 * differences within them, and does not include how much they differ from each other. It is not
 * corrected for several comparisons. With clusters it uses Student's distribution, with the degrees
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
