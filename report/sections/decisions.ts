/** How the comparisons of a study that stops when it is decided have come out. Pure. */
import { isSameCell } from '../../core/study/cells.js';
import type { RunSource } from '../../evaluation/runs/run-source.js';
import type { Decision } from '../../evaluation/statistics/decide.js';
import type { CellFigures } from '../../evaluation/study/cell-figures.js';
import { decisionText, savedText } from '../../evaluation/study/decision-text.js';
import { studyCells, studyNames } from '../../evaluation/study/study-of.js';
import { meantPairs, studyScores } from '../../evaluation/study/study-scores.js';
import { bandChart } from '../charts/band.js';
import type { ShownData } from '../data-sets.js';
import type { Markup } from '../html.js';
import { picture } from './parts.js';

export interface ShownDecision {
  /** A run of the cell, which tells the data set. */
  run: string;
  against: string;
  title: string;
  decision: Decision;
  cells: CellFigures[];
}

/** Returns those of all studies that runs are of. */
export async function decisionsOf(sources: readonly RunSource[]): Promise<ShownDecision[]> {
  const manifests = sources.map(({ manifest }) => manifest);
  const open = async (run: string) => sources.find(({ manifest }) => manifest.run === run);
  const all: ShownDecision[] = [];
  for (const name of studyNames(manifests)) {
    const study = studyCells(manifests, name);
    if (!study?.untilDecided) continue;
    const { cells, comparisons } = await studyScores(study, open);
    for (const [cell, against] of meantPairs(study, cells)) {
      const { title, decision } = comparisons.find((one) => isSameCell(one, cell)) ?? {};
      const [run] = cell.runs;
      if (!decision || title === undefined || run === undefined) continue;
      all.push({ run, against: against.method, title, decision, cells: [cell, against] });
    }
  }
  return all;
}

/** Returns the pictures of a data set's comparisons, each with what it came to. */
export function decisionFigures(
  { id, cells }: ShownData,
  decisions: readonly ShownDecision[],
): Markup[] {
  return decisions.flatMap(({ run, against, title, decision, cells: pair }, i) => {
    const cell = cells.find(({ figures }) => figures.manifest.run === run);
    if (!cell) return [];
    const key = `${id}-decision-${i + 1}`;
    const { band, decidedAt } = decision;
    const chart = bandChart({ title: `${title}, points`, colour: cell.colour, band, decidedAt });
    const caption = `${cell.label}: ${decisionText(decision, against)}. ${savedText(pair)}`;
    return picture(key, `${cell.label} less ${against}`, chart, caption) ?? [];
  });
}
