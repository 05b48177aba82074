/** Compares the labels of a study's cells, and describes the study's progress. Pure. */
import { dollars } from '../dollars.js';
import type { RunProgress } from '../run/run.js';
import type { StudyCell, StudyProgress, StudyRunProgress } from './cell.js';

/** The labels that identify a cell of a study: those of its method, data set and model. */
export type CellLabels = Pick<StudyCell, 'dataset' | 'method' | 'model'>;

/** Returns whether two cells have the same method, data set and model. */
export function isSameCell(one: CellLabels, other: CellLabels): boolean {
  return one.method === other.method && one.dataset === other.dataset && one.model === other.model;
}

/** Returns whether a run of a study has ended: finished, decided or failed. */
export function isEnded({ state }: Pick<StudyRunProgress, 'state'>): boolean {
  return state === 'finished' || state === 'decided' || state === 'failed';
}

/**
 * Returns the progress of a study as one line for people: state, runs, questions, cost, and the
 * reason of a pause.
 */
export function studyProgressLine(progress: Omit<StudyProgress, 'study'>): string {
  const { state, stage, pause, runs, spentUsd, budgetUsd } = progress;
  const ended = runs.filter(isEnded).length;
  const done = runs.reduce((sum, run) => sum + run.done, 0);
  const spent = spentUsd === null ? 'an unknown cost' : dollars(spentUsd);
  const cost = budgetUsd === null ? spent : `${spent} of ${dollars(budgetUsd)}`;
  const why = pause ? `. ${pause.message}` : '';
  const doing = stage && state !== 'finished' ? `${state}, ${stage}` : state;
  return `${doing}, ${ended} of ${runs.length} runs ended, ${done} questions done, ${cost}${why}`;
}

/**
 * Returns the progress of a study's run with the counts of the run's own progress; unchanged if the
 * run has counted fewer ended questions than before, as while it reads its stored answers.
 */
export function withCounts(
  run: StudyRunProgress,
  { questions, done, outcomes }: Pick<RunProgress, 'done' | 'outcomes' | 'questions'>,
): StudyRunProgress {
  // A round reads the answers of earlier ones page by page, and may not have read all yet.
  if (done < run.done) return run;
  return { ...run, questions, done, failed: outcomes.failed };
}
