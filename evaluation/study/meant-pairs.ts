/** What a study compares, as it was declared. Pure. */
import type { StudyCells } from '../../core/study/cell.js';
import type { CellLabels } from '../../core/study/cells.js';
import type { FamilyRule } from '../comparisons/compare-pairs.js';

/** Returns each cell with the baseline's of its data set and model, whatever they score. */
export function meantPairs<C extends CellLabels>(
  { baseline }: Pick<StudyCells, 'baseline'>,
  cells: readonly C[],
): { first: C; second: C }[] {
  return cells.flatMap((first) => {
    const second = cells.find(
      ({ method, dataset, model }) =>
        method === baseline && dataset === first.dataset && model === first.model,
    );
    return second && first.method !== baseline ? [{ first, second }] : [];
  });
}

/**
 * Returns the family that the comparisons of a study are tested in.
 *
 * @param pairs How many of its pairs are at hand: those that are not count as tested as well, so that
 *   a part of a study never finds more than the whole.
 * @param leftUsd US dollars that may still be spent.
 */
export function familyOf(
  { metrics, untilDecided, comparisons }: StudyCells,
  pairs: number,
  leftUsd?: number,
): Pick<FamilyRule, 'missing' | 'sequential'> {
  const missing = Math.max(0, (comparisons ?? 0) - pairs * (metrics?.length ?? 1));
  if (!untilDecided) return { missing };
  return { missing, sequential: { ...untilDecided, leftUsd, comparisons: comparisons ?? 1 } };
}
