/**
 * Chooses the pairs of runs to compare: those that their study declares, or each run with the
 * baseline. Pure.
 */
import { canonicalJson } from '../../core/canonical-json.js';
import type { Failure } from '../../core/failure.js';
import { groupedBy } from '../../core/grouped-by.js';
import { badInput } from '../../core/options/problems.js';
import { outputsText } from '../../core/step-models.js';
import type { StudyCells } from '../../core/study/cell.js';
import { type CellLabels, isSameCell } from '../../core/study/cell-progress.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import {
  type Comparison,
  comparePairs,
  type Pair,
  stoppedCells,
} from '../comparisons/compare-pairs.js';
import type { GroupFields } from '../comparisons/question-groups.js';
import { checkMetricNames, testedMetrics } from '../comparisons/tested-metrics.js';
import { compareScores } from '../statistics/compare-scores.js';
import { differenceInterval, LEVEL } from '../statistics/paired-difference.js';
import {
  declaredFamily,
  declaredPairs,
  experimentLabels,
  notesOnExperiments,
} from '../study/declared-pairs.js';
import { studyCells } from '../study/study-of.js';
import type { RunCell } from './cells.js';
import { isChosenFork } from './fork-accounts.js';
import { count, plural } from './number-text.js';
import type { RunFigures } from './run-figures.js';
import { datasetHashOf, experimentKey, noiseKey } from './run-identity.js';

/**
 * The comparison of two cells of runs in one metric: `pair` has the cells, single runs or repeats
 * together, `difference` the mean difference with its interval, first minus second, as a fraction.
 */
export type RunComparison = Comparison<Pair<RunCell>>;

/**
 * Options for comparing runs: the baseline, the metrics, the largest loss that counts as equal
 * (margin), and fields by which questions are grouped.
 */
export interface CompareOptions extends GroupFields {
  /**
   * Name of the run with which the others are compared. For runs of one study it may be the name of
   * one of its methods. @default the baseline of the study, else the first run
   */
  baseline?: string | undefined;
  /** Names or titles of the metrics to compare. @default those of the study, else the main ones */
  metrics?: readonly string[] | undefined;
  /** Largest accepted loss, from 0 to 1: tests "not worse by the margin" instead of "different". */
  margin?: number | undefined;
}

/**
 * Compares cells of runs, and returns `comparisons` and `notes`, sentences about cells that are
 * not compared. If all cells are of one study, or of several studies and no baseline is named,
 * they are compared as the studies declare.
 *
 * Otherwise each cell is compared with another one of the same data set and noise. For a cell of
 * another method than the baseline's, that is the one with the baseline's method and options and
 * the cell's own models. If there is none, it is the baseline, then any cell with the baseline's
 * method and options, then the first cell. Forks whose questions were chosen, and two cells of the
 * same experiment, are not compared.
 *
 * @param whole For each run, the ids of the questions that a fork asked as a whole. They are left
 * out of the comparison with the parent run, since they would differ even without the change.
 * @throws Failure BadInput for a baseline that is not among the cells or is such a fork, a metric
 * without scores, and a margin, slices or clusters for a study that stops once decided.
 */
export function compareCells(
  cells: readonly RunCell[],
  options: CompareOptions,
  whole: readonly ReadonlySet<string>[],
) {
  const { baseline, metrics, margin } = options;
  if (metrics) {
    const there = cells.flatMap((cell) => cell.metrics);
    checkMetricNames('metrics', metrics, there);
  }
  const studies = studiesOf(cells);
  if (studies.length === 1 || (studies.length > 1 && baseline === undefined)) {
    const each = studies.map(({ study, own }) => compareStudy(study, own, options));
    return {
      comparisons: each.flatMap(({ comparisons }) => comparisons),
      notes: each.flatMap(({ notes }) => notes),
    };
  }
  const { pairs, notes } = pairsAgainst(baseline, cells, whole);
  const tested = testedMetrics(cells, metrics);
  const comparisons = comparePairs(pairs, { metrics: tested, margin });
  return { comparisons, notes: [...notes, ...notesOnPairs(pairs, comparisons)] };
}

/**
 * Returns, without throwing it, the failure BadInput for a flag that would split the questions of
 * a study that stops once decided.
 */
export function splitStudyError(
  flag: 'above' | 'by' | 'cluster',
  { name }: Pick<StudyCells, 'name'>,
): Failure {
  return badInput(
    flag,
    `cannot be used with ${name}, which stops when it is decided: its test needs all questions in their order`,
  );
}

/** Compares the cells of a study as it declares, unless the options differ. */
function compareStudy(
  study: StudyCells,
  cells: readonly RunCell[],
  { baseline, metrics, margin, by, cluster }: CompareOptions,
) {
  const flag = by === undefined ? (cluster === undefined ? undefined : 'cluster') : 'by';
  if (flag && study.untilDecided) throw splitStudyError(flag, study);
  if (margin !== undefined && study.untilDecided) {
    const message = `cannot be used with ${study.name}, which stops when it is decided; see: durable-rag study check`;
    throw badInput('margin', message);
  }
  const { pairs, meant, notes } = pairsOfStudy(study, cells, baseline);
  const isDeclared = baseline === undefined && metrics === undefined;
  const { missing = 0, ...family } = declaredFamily(study, isDeclared ? meant : undefined);
  const tested = testedMetrics(cells, metrics ?? study.metrics);
  const comparisons = comparePairs(pairs, { metrics: tested, margin, missing, ...family });
  const absent = plural(missing, 'comparison');
  const others = `${absent} of the study ${study.name} ${missing === 1 ? 'is' : 'are'} missing here, but included in the correction.`;
  return {
    comparisons,
    notes: [
      ...notes,
      ...(missing > 0 && pairs.length > 0 ? [others] : []),
      ...notesOnPairs(pairs, comparisons),
      ...notesOnStopped(comparisons),
    ],
  };
}

/** Returns the studies of the cells, each with its cells; empty if a cell belongs to no study. */
function studiesOf(cells: readonly RunCell[]): { study: StudyCells; own: RunCell[] }[] {
  const studies = declaredStudies(
    cells.map(({ figures, kept }) => ({ ...figures.manifest, run: kept })),
  );
  const nameOf = ({ figures }: RunCell) => figures.manifest.input.study?.name;
  return studies.map((study) => ({
    study,
    own: cells.filter((cell) => nameOf(cell) === study.name),
  }));
}

/**
 * Returns the studies of the runs, each as its newest run declares it. Empty if a run belongs to
 * no study, or is a fork whose questions were chosen (`isChosenFork`).
 */
export function declaredStudies(manifests: readonly RunManifest[]): StudyCells[] {
  if (manifests.some((manifest) => isChosenFork(manifest))) return [];
  const newest = manifests.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const names = new Set(manifests.map(({ input }) => input.study?.name));
  const studies = [...names].map((name) =>
    name === undefined ? undefined : studyCells(newest, name),
  );
  return studies.includes(undefined) ? [] : studies.filter((study) => study !== undefined);
}

function pairsOfStudy(study: StudyCells, cells: readonly RunCell[], wanted: string | undefined) {
  const labelled = study.cells.flatMap((place) => {
    // A run asked with changed options replaces the earlier one.
    const own = cells.filter(
      ({ kept, figures }) =>
        place.runs.includes(kept) && isSameCell(place, labelsOf(figures.manifest)),
    );
    const labels = own.length > 0 ? experimentLabels(place, own.length) : [];
    return labels.flatMap((one, i) => (own[i] ? [{ ...one, cell: own[i] }] : []));
  });
  labelled.sort((a, b) => cells.indexOf(a.cell) - cells.indexOf(b.cell));
  const methods = [...new Set(labelled.map(({ method }) => method))];
  const ofRun = labelled.find(({ cell }) => wanted !== undefined && cell.names.includes(wanted));
  const baseline = wanted === undefined ? study.baseline : methodNamed();
  const meant = declaredPairs({ ...study, baseline }, labelled);
  const split = notesOnExperiments(
    { ...study, baseline },
    labelled.map((one) => ({ ...one, holds: one.cell.names.join('; ') })),
  );
  const none = `The study ${study.name} names no baseline, so nothing is compared. Name one with --baseline METHOD.`;
  return {
    pairs: meant.map(({ first, second }) => ({ first: first.cell, second: second.cell })),
    meant,
    notes: [...split, ...(baseline === undefined && cells.length > 1 ? [none] : [])],
  };

  function methodNamed(): string {
    const method = ofRun?.method ?? wanted ?? '';
    if (methods.includes(method)) return method;
    throw badInput('baseline', `must be one of the methods compared (${methods.join('; ')})`);
  }
}

function labelsOf({ input }: RunManifest): CellLabels {
  const { method = '', dataset = '', model = '' } = input.study ?? {};
  return { method, dataset, model };
}

function pairsAgainst(
  baseline: string | undefined,
  cells: readonly RunCell[],
  whole: readonly ReadonlySet<string>[],
) {
  const names = cells.flatMap((cell) => cell.names);
  if (baseline !== undefined && !names.includes(baseline)) {
    throw badInput('baseline', `must be one of the runs compared (${names.join('; ')})`);
  }
  const usual = cells.findIndex(({ figures }) => !isChosenFork(figures.manifest));
  const named =
    baseline === undefined
      ? Math.max(0, usual)
      : cells.findIndex((cell) => cell.names.includes(baseline));
  if (baseline !== undefined && cells[named] && isChosenFork(cells[named].figures.manifest)) {
    throw badInput(
      'baseline',
      `must not be ${baseline}, whose questions were chosen by their answers or by name`,
    );
  }
  const against = cells.map((cell) => baselineOf(cell, cells, named));
  const pairs = cells.flatMap((first, at) => {
    const second = cells[against[at] ?? -1];
    const isAlone = first === second || !second || isChosenFork(first.figures.manifest);
    // Two parts of a run, or a run and its fork, can be the same experiment.
    if (isAlone || isControl(first.figures, second.figures)) return [];
    const [{ manifest }, other] = [first.figures, second.figures.manifest];
    const isFork = manifest.input.fork?.run === other.run;
    const [run = -1] = first.runs;
    return [{ first, second, ...(isFork && { without: whole[run] }) }];
  });
  return { pairs, notes: notesOnBaselines(cells, named, against) };
}

/** Returns the cell most similar to the baseline: by method and options, then by model. */
function baselineOf(
  { figures: { manifest } }: RunCell,
  cells: readonly RunCell[],
  named: number,
): number {
  const isAlike = ({ figures: { manifest: other } }: RunCell) =>
    !isChosenFork(other) &&
    datasetHashOf(other) === datasetHashOf(manifest) &&
    noiseKey(other) === noiseKey(manifest);
  const baseline = cells[named];
  const askedLike = baseline && methodOf(baseline.figures.manifest);
  const ofMethod = ({ figures }: RunCell) => methodOf(figures.manifest) === askedLike;
  const sameModel = cells.findIndex(
    (cell) =>
      isAlike(cell) &&
      ofMethod(cell) &&
      canonicalJson(cell.figures.manifest.models) === canonicalJson(manifest.models),
  );
  if (sameModel !== -1 && methodOf(manifest) !== askedLike) return sameModel;
  if (baseline && isAlike(baseline)) return named;
  const other = cells.findIndex((cell) => isAlike(cell) && ofMethod(cell));
  return other === -1 ? cells.findIndex(isAlike) : other;
}

function methodOf({ input: { method, options } }: RunFigures['manifest']): string {
  return canonicalJson([method, options]);
}

function isControl(one: RunFigures, other: RunFigures): boolean {
  const isEither = [one, other].some(({ manifest }) => isChosenFork(manifest));
  return !isEither && experimentKey(one.manifest) === experimentKey(other.manifest);
}

/**
 * The comparison of two runs of the same experiment in one metric, as `controlsOf` returns it;
 * their difference is noise. `first` and `second` are positions of the runs, `difference` is a
 * fraction with its interval, and `churn` is the share of questions whose score differs.
 */
export type RunControl = ReturnType<typeof controlsOf>[number];

/**
 * Returns an array of the comparisons of each pair of runs of the same experiment, one for every
 * headline metric in which both have scores of the same questions, as a measure of noise. Each has
 * the positions of the runs from 0 (`first` is the earlier one), `metric`, `difference` as a
 * fraction with its interval, `p` and `churn`, the share of questions whose score differs.
 */
export function controlsOf(runs: readonly RunFigures[]) {
  return runs.flatMap((other, second) =>
    runs.slice(0, second).flatMap((one, first) => {
      if (!isControl(one, other)) return [];
      return one.metrics.flatMap(({ metric, title, isHeadline, scores }) => {
        const others = other.metrics.find((figures) => figures.metric === metric)?.scores;
        const isShared = others && [...scores.keys()].some((id) => others.has(id));
        if (!isHeadline || !isShared) return [];
        const compared = compareScores(scores, others);
        const { questions, changed, difference } = compared;
        return [
          {
            /** Positions of the runs. */
            first,
            second,
            metric,
            title,
            ...compared,
            difference: differenceInterval(difference, LEVEL),
            p: difference.p,
            level: LEVEL,
            /** Share of the questions whose score differs, although the experiment is the same. */
            churn: changed / questions,
          },
        ];
      });
    }),
  );
}

/**
 * Returns notes on cells that cannot be compared with the named baseline: which one replaces it, or
 * that there is none.
 */
function notesOnBaselines(
  cells: readonly RunCell[],
  named: number,
  against: readonly number[],
): string[] {
  const baseline = cells[named]?.figures;
  return cells.flatMap(({ figures: { manifest } }, position) => {
    const isAlone = position !== named && against[position] === position;
    if (!baseline || !isAlone || isChosenFork(manifest)) return [];
    const otherwise = `than ${baseline.manifest.run}`;
    if (against.some((second, first) => second === position && first !== position)) {
      return [`${manifest.run} is the baseline of runs of another data set or noise ${otherwise}.`];
    }
    return datasetHashOf(manifest) === datasetHashOf(baseline.manifest)
      ? []
      : [`${manifest.run} was asked from another data set ${otherwise} and is not compared.`];
  });
}

function notesOnPairs(
  pairs: readonly Pair<RunCell>[],
  comparisons: readonly RunComparison[],
): string[] {
  const isCompared = (pair: Pair<RunCell>) => comparisons.some((one) => one.pair === pair);
  return [
    ...apartNotes(pairs.filter((pair) => !isCompared(pair))),
    ...pairs.filter(isCompared).flatMap((pair) => notesOn(...manifestsOf(pair))),
  ];
}

/** Returns notes on cells that stopped early, whose means are biased. */
function notesOnStopped(comparisons: readonly RunComparison[]): string[] {
  const asked = (cell: RunCell) =>
    `${count(cell.ended.size)} of ${plural(cell.order.length, 'question')}`;
  return [...groupedBy(stoppedCells(comparisons), asked)].map(([questions, cells]) => {
    const names = cells.map(({ names }) => names[0]).join(' and ');
    return `${names} stopped when it was decided, after ${questions}: ${cells.length > 1 ? 'their means are' : 'its mean is'} biased away from no difference.`;
  });
}

/** Returns a sentence about pairs that have no question in common; it names the first three. */
function apartNotes(pairs: readonly Pair<RunCell>[]): string[] {
  const runs = pairs.map((pair) => manifestsOf(pair).map(({ run }) => run));
  return [...groupedBy(runs, ([, against]) => against)].map(([against, apart]) => {
    const more = apart.length - NAMED;
    const named = apart.slice(0, NAMED).map(([run]) => run);
    const shown = [...named, ...(more > 0 ? [`${more} more`] : []), against];
    return `${shown.join(' and ')} have no scored question in common and are not compared.`;
  });
}

/** Maximum number of names in a sentence. */
const NAMED = 3;

type Manifests = [RunFigures['manifest'], RunFigures['manifest']];

function manifestsOf({ first, second }: Pair<RunCell>): Manifests {
  return [first.figures.manifest, second.figures.manifest];
}

function notesOn(...manifests: Manifests): string[] {
  const [one, other] = manifests;
  const names = `${one.run} and ${other.run}`;
  const notes: string[] = [];
  if (one.normaliser !== other.normaliser) {
    notes.push(`${names} normalise answers differently, so their scores cannot be compared.`);
  }
  const [outputs, otherOutputs] = manifests.map(({ input }) => outputsText(input.outputs));
  if (outputs !== otherOutputs) {
    notes.push(`${names} differ in the form of their outputs (${outputs}; ${otherOutputs}).`);
  }
  return notes;
}
