/** The comparisons that a study declares. Pure. */
import { command } from '../../core/command.js';
import { groupedBy } from '../../core/grouped-by.js';
import type { StudyCells } from '../../core/study/cell.js';
import type { CellLabels } from '../../core/study/cells.js';
import type { FamilyRule } from '../comparisons/compare-pairs.js';

/** An experiment of a study, by the labels that it is shown by. */
export interface Experiment extends CellLabels {
  /** Label of the method, if there are several experiments in its place; left out if it is the only one. */
  partOf?: string;
}

/**
 * Returns the names of the experiments in one place of a study: the label of the method for a
 * single one, otherwise a part of it. A run that continued with a change counts as several, and so
 * do repeats with other code, prompts or models. No figure combines several parts.
 *
 * @example experimentsIn({ method: 'sure', dataset, model }, 2)[0].method; // "sure, part 1 of 2"
 */
export function experimentsIn({ method, dataset, model }: CellLabels, parts: number): Experiment[] {
  const where = { dataset, model };
  if (parts === 1) return [{ method, ...where }];
  return Array.from({ length: parts }, (_, i) => ({
    method: `${method}, part ${i + 1} of ${parts}`,
    partOf: method,
    ...where,
  }));
}

/** Returns notes that a reader of a study with parts should know; empty if it has none. */
export function notesOnExperiments(
  study: Pick<StudyCells, 'baseline' | 'name' | 'untilDecided'>,
  experiments: readonly (Experiment & { holds: string })[],
): string[] {
  const parts = experiments.filter(({ partOf }) => partOf !== undefined);
  const places = groupedBy(parts, ({ partOf, dataset, model }) =>
    [partOf, dataset, model].join(', '),
  );
  const notes = [...places].map(
    ([place, own]) =>
      `${place} is not one experiment, so its parts stand apart: ${own.map(({ method, holds }) => `${method} (${holds})`).join('; ')}.`,
  );
  const ofBaseline = parts.find(({ partOf }) => partOf === study.baseline);
  if (parts.length > 0 && study.untilDecided) {
    notes.push(
      'Parts are not compared, since the test of this study is of all questions in order.',
    );
  } else if (ofBaseline) {
    notes.push(
      `Nothing is compared with the parts of ${study.baseline}, unless one of them is named: ${command('compare', study.name, '--baseline', ofBaseline.method)}`,
    );
  }
  return notes;
}

/**
 * Returns each cell with the baseline's of its data set and model, whatever they score. If a study
 * stops when it is decided, parts are compared with nothing.
 */
export function meantPairs<C extends Experiment>(
  { baseline, untilDecided }: Pick<StudyCells, 'baseline' | 'untilDecided'>,
  cells: readonly C[],
): { first: C; second: C }[] {
  return cells.flatMap((first) => {
    if (untilDecided && first.partOf !== undefined) return [];
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
 * @param pairs Those of its pairs that are at hand; the others count as tested as well, so that some of
 *   a study never find more than the whole. Undefined if it is not compared as it was declared.
 * @param leftUsd US dollars that may still be spent.
 */
export function familyOf(
  { metrics, untilDecided, comparisons }: StudyCells,
  pairs: readonly { first: Experiment }[] | undefined,
  leftUsd?: number,
): Pick<FamilyRule, 'missing' | 'sequential'> {
  // The parts of a cell take the place of one pair.
  const places = pairs?.map(({ first: { method, partOf = method, dataset, model } }) =>
    JSON.stringify([partOf, dataset, model]),
  );
  const atHand = places ? new Set(places).size * (metrics?.length ?? 1) : Infinity;
  const missing = Math.max(0, (comparisons ?? 0) - atHand);
  if (!untilDecided) return { missing };
  return { missing, sequential: { ...untilDecided, leftUsd, comparisons: comparisons ?? 1 } };
}
