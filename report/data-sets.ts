/** Groups the cells of a report by data set, and gives them labels and colours. */
import { groupedBy } from '../core/grouped-by.js';
import type { RunCell } from '../evaluation/runs/cells.js';
import type { RunComparison } from '../evaluation/runs/compare.js';
import { leadingMetric, type RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
import type { ShownMetric } from '../evaluation/runs/metrics.js';
import type { RunFigures } from '../evaluation/runs/run-figures.js';
import { datasetHashOf } from '../evaluation/runs/run-identity.js';
import { labelRuns, studyOf } from '../evaluation/runs/run-labels.js';

/**
 * A cell of the report, that is, a run or the repeats of one experiment, with its number, label and
 * colour.
 */
export interface ShownCell {
  /** Position among all cells of the report, from 0. */
  at: number;
  /** Number from 1, within its data set. */
  number: number;
  /** Label that distinguishes it from the others of its data set. */
  label: string;
  /** CSS class of its colour. */
  colour: string;
  cell: RunCell;
  figures: RunFigures;
}

/**
 * A data set of the report with its cells, their comparisons, and the metric that represents them.
 */
export interface ShownData {
  /** Id in the page, as a target of links: "data-1". */
  id: string;
  /** Hash of its content. */
  data: string;
  title: string;
  /** Properties that all its cells share, as text. */
  shared: string;
  cells: ShownCell[];
  /** Metric that represents the cells; undefined if they have none in common. */
  main: ShownMetric | undefined;
  comparisons: RunComparison[];
}

/**
 * Array of the eight colours of cells, each as hexadecimal [for light, for dark]. They repeat if
 * more are needed.
 */
export const COLOURS = [
  ['#2f66b0', '#7eaeed'],
  ['#b9591a', '#eb9d63'],
  ['#1f7d63', '#5dc3a3'],
  ['#8b4fa6', '#c896dd'],
  ['#ab2f55', '#ea819f'],
  ['#6c6c1d', '#c1c06a'],
  ['#2f7f9b', '#7fc6de'],
  ['#7d5e49', '#c6a58f'],
] as const;

/**
 * Returns an array of the data sets of the cells, each with its cells (numbered, labelled and
 * coloured), comparisons and main metric. Data sets are in the order of their first cell, cells in
 * the given order. Files with the same content are one data set.
 */
export function dataSetsOf({ cells, comparisons }: RunsEvaluation): ShownData[] {
  const placed = cells.map((cell, at) => ({ at, cell }));
  const groups = groupedBy(placed, ({ cell }) => datasetHashOf(cell.figures.manifest));
  const isOfStudy = studyOf(cells.map(({ figures }) => figures.manifest)) !== undefined;
  const files = [...groups.values()].map(([first]) => {
    const { input, dataset } = first?.cell.figures.manifest ?? {};
    return isOfStudy ? input?.study?.dataset : dataset?.file;
  });
  return [...groups].map(([data, own], i): ShownData => {
    const { labels, shared } = labelRuns(own.map(({ cell }) => cell.figures.manifest));
    const kinds = [...new Set(own.map(({ cell }) => cell.figures.manifest.input.method))];
    const shown = own.map(({ at, cell }, place): ShownCell => {
      const kind = kinds.length > 1 ? kinds.indexOf(cell.figures.manifest.input.method) : place;
      return {
        at,
        number: place + 1,
        label: labels[place] ?? '',
        cell,
        figures: cell.figures,
        colour: `c${kind % COLOURS.length}`,
      };
    });
    const file = files[i] ?? '';
    const isAlone = files.filter((other) => other === file).length === 1;
    return {
      id: `data-${i + 1}`,
      data,
      shared,
      cells: shown,
      title: isAlone ? file : `${file} (${data.slice(0, 6)})`,
      main: leadingMetric(shown.map(({ figures }) => figures)),
      comparisons: comparisons.filter(({ pair }) => own.some(({ cell }) => cell === pair.first)),
    };
  });
}
