/** Results of the comparisons in a study that stops once decided. Pure. */
import type { RunCell } from '../../evaluation/runs/cells.js';
import { decisionText, savedText } from '../../evaluation/study/decision-text.js';
import { bandChart } from '../charts/band.js';
import type { ShownData } from '../data-sets.js';
import type { Markup } from '../html.js';
import { picture } from './parts.js';

/** Returns pictures of a data set's comparisons, each with its result. */
export function decisionFigures({ id, cells, comparisons }: ShownData): Markup[] {
  const shown = new Map(cells.map((one) => [one.cell, one]));
  return comparisons.flatMap(({ pair, title, sequential }, i) => {
    const [cell, against] = [shown.get(pair.first), shown.get(pair.second)];
    if (!sequential || !cell || !against) return [];
    const key = `${id}-decision-${i + 1}`;
    const { band, decidedAt } = sequential;
    const chart = bandChart({ title: `${title}, points`, colour: cell.colour, band, decidedAt });
    const saved = savedText([pair.first, pair.second].map(askedOf));
    const caption = `${cell.label}: ${decisionText(sequential, against.label)}. ${saved}`;
    return picture(key, `${cell.label} less ${against.label}`, chart, caption) ?? [];
  });
}

function askedOf(cell: RunCell) {
  const { ended, usage } = cell.figures;
  return { ...cell, answers: ended, usage };
}
