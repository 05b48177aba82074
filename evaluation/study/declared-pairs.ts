/** The comparisons that a study declares. Pure. */
import { command } from '../../core/command.js';
import { groupedBy } from '../../core/grouped-by.js';
import type { StudyCells } from '../../core/study/cell.js';
import type { CellLabels } from '../../core/study/cell-progress.js';
import type { FamilyRule } from '../comparisons/compare-pairs.js';

/**
 * The labels by which an experiment in a study is named: the method, data set and model of its
 * cell; of a part of a cell, also the method without the part.
 */
export interface ExperimentLabels extends CellLabels {
  /**
   * Label of the method in the study, if the cell has several experiments; undefined if it has one.
   */
  partOf?: string;
}

/**
 * Returns the labels of each experiment in one cell of a study: those of the cell if there is one
 * experiment, otherwise with a method "METHOD, part 1 of 2" and so on. A cell has several if a run
 * continued with a change, or if repeats have different code, prompts or models. No figure
 * combines several parts.
 *
 * @example
 * experimentLabels({ method: 'sure', dataset, model }, 2)[0].method; // "sure, part 1 of 2"
 */
export function experimentLabels(
  { method, dataset, model }: CellLabels,
  parts: number,
): ExperimentLabels[] {
  const where = { dataset, model };
  if (parts === 1) return [{ method, ...where }];
  return Array.from({ length: parts }, (_, i) => ({
    method: `${method}, part ${i + 1} of ${parts}`,
    partOf: method,
    ...where,
  }));
}

/**
 * Returns sentences about the cells of a study that have several parts, and on what is not compared
 * because of them; empty if no cell has.
 */
export function notesOnExperiments(
  study: Pick<StudyCells, 'baseline' | 'name' | 'untilDecided'>,
  experiments: readonly (ExperimentLabels & { holds: string })[],
): string[] {
  const parts = experiments.filter(({ partOf }) => partOf !== undefined);
  const places = groupedBy(parts, ({ partOf, dataset, model }) =>
    [partOf, dataset, model].join(', '),
  );
  const notes = [...places].map(
    ([place, own]) =>
      `${place} is not one experiment, so its parts are shown separately: ${own.map(({ method, holds }) => `${method} (${holds})`).join('; ')}.`,
  );
  const ofBaseline = parts.find(({ partOf }) => partOf === study.baseline);
  if (parts.length > 0 && study.untilDecided) {
    notes.push(
      'Parts are not compared, because the test of this study needs all questions in order.',
    );
  } else if (ofBaseline) {
    notes.push(
      `Nothing is compared with the parts of ${study.baseline} unless you name one of them: ${command('compare', study.name, '--baseline', ofBaseline.method)}`,
    );
  }
  return notes;
}

/**
 * Returns the pairs of cells that a study declares to compare: each cell with the baseline of its
 * data set and model. If the study stops once it is decided, parts are not compared.
 */
export function declaredPairs<C extends ExperimentLabels>(
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
 * Returns how the comparisons of a study are corrected as one family: `missing`, the number of
 * declared comparisons that are not present, and `sequential`, the rule of the sequential test,
 * absent unless the study stops once it is decided.
 *
 * @param pairs The declared pairs that are present. The missing ones count as tested as well, so
 * that a part of a study never finds more than the whole. Undefined if other comparisons than the
 * declared ones are made, of which none is missing.
 * @param leftUsd US dollars that may still be spent.
 */
export function declaredFamily(
  { metrics, untilDecided, comparisons }: StudyCells,
  pairs: readonly { first: ExperimentLabels }[] | undefined,
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
