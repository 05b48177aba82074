/** Cells of a study by their labels, and its runs by their states. Pure. */
import type { StudyCell, StudyRunProgress } from './cell.js';

export type CellLabels = Pick<StudyCell, 'dataset' | 'method' | 'model'>;

export function isSameCell(one: CellLabels, other: CellLabels): boolean {
  return one.method === other.method && one.dataset === other.dataset && one.model === other.model;
}

/** Whether a run asks nothing more. */
export function isEnded({ state }: Pick<StudyRunProgress, 'state'>): boolean {
  return state === 'finished' || state === 'decided' || state === 'failed';
}
