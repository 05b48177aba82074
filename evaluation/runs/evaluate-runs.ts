/** Computes the figures and comparisons of runs from their answers. */
import { command } from '../../core/command.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import {
  checkGroups,
  type GroupFields,
  slicedByMetric,
  sliceMean,
  sliceText,
  sliceValues,
} from '../comparisons/question-groups.js';
import { cellTallies, type RunCell } from './cells.js';
import { type CompareOptions, compareCells, controlsOf, declaredStudies } from './compare.js';
import { ForkTally, idsWithoutReusedCalls } from './fork-accounts.js';
import { type ShownMetric, shownInOrder, shownOnly } from './metrics.js';
import { plural } from './number-text.js';
import { type RunFigures, RunTally } from './run-figures.js';
import { notesOnParts, splitRuns } from './run-parts.js';
import { type JoinedQuestion, joinRuns, type RunSource } from './run-source.js';
import { keptTexts } from './unscored-text.js';

/**
 * The figures of runs and the comparisons between them, as `evaluateRuns` returns them: `runs`,
 * `metrics`, number of `questions`, `cells`, `comparisons`, `slices`, `controls`, `forks` and
 * `notes`.
 */
export type RunsEvaluation = Awaited<ReturnType<typeof evaluateRuns>>;

/**
 * Options for evaluating and comparing runs: those of `compareCells`, and a callback for each
 * question.
 */
export interface EvaluateOptions extends CompareOptions {
  /** Called with every question and its answers, in order, while the runs are read. */
  visit?: (joined: JoinedQuestion) => void;
}

/**
 * Reads runs side by side, and returns an object with the figures of each run (`runs`) and of
 * repeats together (`cells`), all `metrics`, the number of `questions`, the `comparisons` of cells,
 * `slices`, comparisons of the same experiment (`controls`), accounts of `forks`, and `notes`. A
 * run with answers from before and after a change is split into several parts.
 *
 * @throws Failure BadInput as `compareCells` and `checkGroups`.
 * @example
 * const runs = await openRuns(store, ['sure', 'base']);
 * const { comparisons } = await evaluateRuns(runs);
 */
export async function evaluateRuns(
  runSources: readonly RunSource[],
  { visit, ...compared }: EvaluateOptions = {},
) {
  const sources = await splitRuns(runSources);
  const studies = declaredStudies(sources.map(({ manifest }) => manifest));
  const fieldsOf = ({ input }: RunManifest): GroupFields => ({
    by: compared.by,
    cluster: compared.cluster ?? studies.find(({ name }) => name === input.study?.name)?.cluster,
  });
  const tallies = sources.map(
    ({ manifest }) => new RunTally(manifest, [], fieldsOf(manifest).cluster),
  );
  const ofCells = cellTallies(sources, fieldsOf);
  const whole = await Promise.all(sources.map(idsWithoutReusedCalls));
  const forks = new ForkTally(
    sources.map(({ manifest }) => manifest),
    whole,
  );
  let questions = 0;
  for await (const joined of joinRuns(sources)) {
    questions++;
    for (const [i, answer] of joined.answers.entries()) {
      if (answer) tallies[i]?.add(joined.question, answer);
    }
    for (const cell of ofCells) cell.add(joined);
    forks.add(joined);
    visit?.(joined);
  }
  const runs = tallies.map((tally) => tally.figures());
  const cells = slicedByMetric(
    ofCells.map((tally) => tally.cell(runs)),
    compared.by,
  );
  checkGroups(cells, compared.cluster === undefined ? 'study' : undefined);
  const { comparisons, notes } = compareCells(cells, compared, whole);
  return {
    /** Figures of each run in the given order; a changed run has several, one for each part. */
    runs,
    /** All metrics of the runs, in the order shown. */
    metrics: shownInOrder(runs.flatMap(({ metrics }) => metrics)),
    /** Number of distinct questions in all runs. */
    questions,
    /** Cells of the runs: repeats of an experiment are one cell. */
    cells,
    /** Comparisons of the cells: see `comparePairs`. */
    comparisons,
    /** Scores of the runs in each slice; empty without slices. */
    slices: slicesOf(runs, cells),
    /** Comparisons of runs of the same experiment. */
    controls: controlsOf(runs),
    /** Accounts of forks whose parent is among the runs. */
    forks: forks.accounts,
    notes: [...notesOnParts(sources), ...runs.flatMap(notesOnScores), ...notes],
  };
}

/** Returns the means of every run in each of its metrics, by slice. */
function slicesOf(runs: readonly RunFigures[], cells: readonly RunCell[]) {
  const field = cells.find(({ slices }) => slices)?.slices?.field ?? '';
  return sliceValues(cells).map((value) => ({
    field,
    value,
    /** @example "hop 2" */
    title: sliceText(field, value),
    /** Figures by position of the run, including runs without a question of the slice. */
    runs: runs.map(({ manifest, metrics }, position) => {
      const cell = cells.find((one) => one.runs.includes(position));
      return {
        run: manifest.run,
        metrics: metrics.flatMap((metric) => {
          const mean = cell && sliceMean(metric, cell, value);
          return mean ? [{ ...shownOnly(metric), mean }] : [];
        }),
      };
    }),
  }));
}

/** Returns notes on how a run was asked or scored again, and whether all of it was. */
function notesOnScores({ manifest, outdated, resampled }: RunFigures): string[] {
  const { run, rescored = [], metrics } = manifest;
  const notes = rescored.map(
    ({ at, differences, kept }) =>
      `${[`${run} was scored again at ${at}`, ...differences, ...keptTexts(kept, metrics)].join('; ')}.`,
  );
  if (resampled > 0) {
    notes.push(
      `${run}: ${plural(resampled, 'answer')} could not be read at first, and another sample was asked for.`,
    );
  }
  if (outdated === 0) return notes;
  const some = `${plural(outdated, 'answer')} of ${run}`;
  return [
    ...notes,
    `${some} still have scores from before; to complete it: ${command('rescore', run)}`,
  ];
}

/**
 * Returns the metric to show for runs if only one can be shown: the first of the headline metrics
 * (those shown in summaries) that all runs have, otherwise the first metric that all have.
 * Undefined if they have none in common.
 */
export function leadingMetric(runs: readonly RunFigures[]): ShownMetric | undefined {
  const [first, ...others] = runs;
  const isShared = (metric: string) =>
    others.every(({ metrics }) => metrics.some((figures) => figures.metric === metric));
  const candidates = first?.metrics.filter(({ metric }) => isShared(metric)) ?? [];
  return candidates.find(({ isHeadline }) => isHeadline) ?? candidates[0];
}
