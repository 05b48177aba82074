/** From the answers of a study's runs to what its cells score and how they differ. */
import { groupedBy } from '../../core/grouped-by.js';
import type { StudyCells } from '../../core/study/cell.js';
import type { CellLabels } from '../../core/study/cells.js';
import type { UntilDecided } from '../../core/study/until-decided.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { ShownMetric } from '../runs/metrics.js';
import { openRun, type RunSource } from '../runs/run-source.js';
import { chiSquareTail } from '../statistics/chi-square.js';
import {
  type Comparison,
  compareScores,
  ENOUGH,
  LEVEL,
  type Tested,
  testedTogether,
} from '../statistics/compare-scores.js';
import { type Decision, decide, type PairedPrefix } from '../statistics/decide.js';
import { differenceInterval } from '../statistics/paired-difference.js';
import { mean } from '../statistics/repeats.js';
import {
  type Cell,
  type CellFigures,
  cellFigures,
  cellMetric,
  mainMetric,
} from './cell-figures.js';

/** A cell less the baseline's of the same data set and model, in the main metric of the data set. */
export interface StudyComparison extends Omit<Comparison, 'difference'>, CellLabels, Tested {
  metric: string;
  title: string;
  /** As many right or wrong answers would be as sure of it. */
  count: number;
  /** Shown to be better or worse: by the sequential test where the study stops when it is decided. */
  finding: 'better' | 'worse' | 'noDifference' | 'tooFew';
  /** Only where the study stops when it is decided. */
  decision?: Decision;
}

export type StudyScores = Awaited<ReturnType<typeof studyScores>>;

export interface StudyOptions {
  /** US dollars that may still be spent; a comparison that needs more ends. */
  leftUsd?: number | undefined;
}

/** Gives a run by its name; undefined where it has not begun. */
export type OpenRun = (run: string) => Promise<RunSource | undefined>;

export function runsOf(store: RunStore): OpenRun {
  return async (run) => ((await store.manifest(run)) ? openRun(store, run) : undefined);
}

/**
 * Reads the runs of a study answer by answer, and adds them up. Compared is what was meant to be:
 * each cell with the baseline's of its data set and model, in the main metric of the data set, and
 * all of these with 20 questions or more are one family for Holm's correction. A study that stops
 * when it is decided is read by its sequential test, with alpha split over all its comparisons.
 *
 * @example const scores = await studyScores(record, runsOf(store))
 */
export async function studyScores(study: StudyCells, open: OpenRun, options: StudyOptions = {}) {
  const cells: CellFigures[] = [];
  for (const cell of study.cells) {
    const sources = await Promise.all(cell.runs.map(open));
    cells.push(
      await cellFigures(
        cell,
        sources.filter((source) => source !== undefined),
      ),
    );
  }
  const mains = new Map<string, ShownMetric>();
  for (const dataset of new Set(cells.map((cell) => cell.dataset))) {
    const main = mainMetric(cells.filter((cell) => cell.dataset === dataset));
    if (main) mains.set(dataset, main);
  }
  const comparisons = compareCells(study, cells, mains, options);
  return {
    study,
    /** In the order of the study. */
    cells,
    /** The main metric by data set; a data set without a score has none. */
    mains,
    /** Those that were meant. */
    comparisons,
    /** Over the data sets. */
    combined: combinedDifferences(comparisons),
  };
}

/** Pairs of a cell and its baseline's, whatever they score: alpha is split over them. */
export function meantPairs<C extends Cell>(
  { baseline }: StudyCells,
  cells: readonly C[],
): [C, C][] {
  return cells.flatMap((cell) => {
    const against = cells.find(
      ({ method, dataset, model }) =>
        method === baseline && dataset === cell.dataset && model === cell.model,
    );
    return against && cell.method !== baseline ? [[cell, against]] : [];
  });
}

type Untested = Omit<StudyComparison, keyof Tested | 'count' | 'finding'> &
  Pick<Comparison, 'difference'>;

function compareCells(
  study: StudyCells,
  cells: readonly CellFigures[],
  mains: ReadonlyMap<string, ShownMetric>,
  options: StudyOptions,
): StudyComparison[] {
  const pairs = meantPairs(study, cells);
  const untested = pairs.flatMap(([cell, against]): Untested[] => {
    const main = mains.get(cell.dataset);
    const [first, second] = [cell, against].map((c) => main && cellMetric(c, main.metric)?.scores);
    if (!main || !first || !second || ![...first.keys()].some((id) => second.has(id))) return [];
    const compared = compareScores(first, second);
    const { method, dataset, model } = cell;
    return [
      {
        ...{ method, dataset, model, metric: main.metric, title: main.title },
        ...compared,
        ...(study.untilDecided && {
          decision: decidePair(
            study.untilDecided,
            Math.max(study.comparisons ?? 1, pairs.length),
            [cell, against],
            main.metric,
            options,
          ),
        }),
      },
    ];
  });
  const family = untested.filter(({ questions }) => questions >= ENOUGH);
  const tested = testedTogether(family.map(({ difference }) => difference));
  return untested.map((comparison) => {
    const { decision } = comparison;
    const { mean, count } = comparison.difference;
    const found = tested(comparison.difference);
    const { corrected } = found;
    const isFound = corrected !== null && corrected < LEVEL;
    const fixed = isFound ? (mean > 0 ? 'better' : 'worse') : 'noDifference';
    const sequential =
      decision?.verdict === 'better' || decision?.verdict === 'worse'
        ? decision.verdict
        : 'noDifference';
    const finding = decision ? sequential : corrected === null ? 'tooFew' : fixed;
    return { ...comparison, ...found, count, finding };
  });
}

/** What the sequential test says of two cells, from the completed prefix of the drawn order. */
function decidePair(
  rule: Partial<UntilDecided>,
  comparisons: number,
  [cell, against]: readonly [CellFigures, CellFigures],
  metric: string,
  { leftUsd }: StudyOptions,
): Decision {
  const { order } = cell;
  const { failures: _, ...given } = rule;
  const isYesNo = [cell, against].every((c) => cellMetric(c, metric)?.isYesNo);
  const left = leftUsd !== undefined && { left: affordable(leftUsd, [cell, against]) };
  return decide(
    { ...pairedPrefix(order, cell, against, metric, rule), ...left },
    { ...given, comparisons, questions: order.length, scores: isYesNo ? 'yesNo' : 'graded' },
  );
}

/** How many questions more the cells can be asked together, at what one has cost; all where unknown. */
function affordable(leftUsd: number, cells: readonly CellFigures[]): number {
  const each = cells.reduce((so, { costUsd, runs }) => so + (costUsd ?? 0) * runs.length, 0);
  return each > 0 ? Math.floor(leftUsd / each) : Infinity;
}

/**
 * The differences over the questions from the first of the order to the last before one that a cell
 * has not ended in all repeats: hard questions end late, so that whatever has ended by now would be
 * easier than the rest. Questions that the metric does not apply to are left out; over the whole data
 * set they make no difference.
 */
export function pairedPrefix(
  order: readonly string[],
  cell: CellFigures,
  against: CellFigures,
  metric: string,
  { failures = 'wrong', about }: Partial<UntilDecided> = {},
): Required<Omit<PairedPrefix, 'left'>> {
  const [first, second] = [cell, against].map((c) => cellMetric(c, metric)?.scores);
  const open = order.findIndex((id) => !cell.ended.has(id) || !against.ended.has(id));
  const prefix = open === -1 ? order : order.slice(0, open);
  const differences = prefix.flatMap((id) => {
    if (failures === 'leftOut' && (cell.failed.has(id) || against.failed.has(id))) return [];
    const [one, other] = [first?.get(id), second?.get(id)];
    if (one !== undefined && other !== undefined) return [one - other];
    return about === 'thisDataset' ? [0] : [];
  });
  return { differences, leftOut: prefix.length - differences.length };
}

/**
 * The mean of the differences of each method and model over the data sets, where there are two or more.
 * The data sets are strata: the error of the mean is that of the differences within them, and how
 * much they differ from each other is no part of it. Not corrected for several comparisons.
 */
function combinedDifferences(comparisons: readonly StudyComparison[]) {
  const groups = groupedBy(comparisons, ({ method, model }) => JSON.stringify([method, model]));
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      const middle = mean(group.map(({ difference }) => difference.mean));
      const variance =
        mean(group.map(({ difference, count }) => (1 - difference.mean ** 2) / count)) /
        group.length;
      const count = (1 - middle ** 2) / variance;
      const [first] = group;
      return {
        ...{ method: first?.method ?? '', model: first?.model ?? '' },
        datasets: group.map(({ dataset }) => dataset),
        questions: group.reduce((so, { questions }) => so + questions, 0),
        /** At 95 %; of these data sets as they are, not of data sets in general. */
        difference: differenceInterval({ mean: middle, count }, LEVEL),
        p: chiSquareTail(count * middle ** 2),
      };
    });
}
