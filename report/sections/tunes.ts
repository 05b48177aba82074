/** Renders a tune: the results of each candidate, and quality by cost. Pure. */
import { dollars } from '../../core/dollars.js';
import { tickPercent } from '../../evaluation/runs/number-text.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import {
  gainOf,
  isComparable,
  TUNE_COLUMNS,
  type TuneRow,
  type TuneTable,
  tuneCells,
  tuneNotes,
} from '../../evaluation/tune/tune-table.js';
import { type CostPoint, costChart } from '../charts/cost-chart.js';
import { html, type Markup } from '../html.js';
import { captionedFigure, rowTable, titledSection } from './figure-parts.js';

/**
 * Returns, as `Markup`, the section of a tune (a search for better settings): its conclusion, the
 * results of each candidate, and a chart of quality by cost.
 */
export function tuneSection(table: TuneTable): Markup | undefined {
  const [said = '', ...notes] = tuneNotes(table);
  const [start] = table.rows;
  const rows = table.rows.map((row, i) => [String(i + 1), ...tuneCells(row, start)]);
  const [name = '', ...columns] = TUNE_COLUMNS;
  const id = `tune-${table.tune.replace(/[^\w-]/g, '-')}`;
  const content = html`${rowTable<string[]>(
    id,
    {
      title: name,
      cell: ([number = '', label = '']) => html`<span class="note">${number}</span> ${label}`,
    },
    columns.map((title, i) => ({
      title,
      isNumber: title !== 'decision',
      cell: (row) => row[i + 2] ?? '',
    })),
    rows,
  )}
${notes.map((note) => html`<p class="note">${note}</p>`)}
<div class="pictures">${captionedFigure(`${id}-cost`, 'Quality by cost', chartOf(table), CAPTION)}</div>`;
  return titledSection(id, `Tune ${table.tune}`, said, content);
}

const CAPTION =
  'The start’s quality and what each candidate adds to it: on half B, with its interval, for finalists; for others that were asked all of half A there, which is biased upwards. Blue: the start; green: shown; orange: the others. The line joins those for which no other is both better and cheaper.';

function chartOf({ rows, metric }: TuneTable): Markup | undefined {
  const [start] = rows;
  const points = rows.flatMap((row, i): CostPoint[] => {
    if (!start || !isComparable(row, start) || row.usd === null) return [];
    const quality = qualityOf(row, start);
    const { candidate: name, usd: cost, isFrontier, decision } = row;
    const colour = row === start ? 'c0' : decision === 'shown' ? 'c2' : 'c1';
    return [{ number: i + 1, name, colour, cost, quality, isFrontier }];
  });
  if (points.length < 2) return undefined;
  return costChart(points, {
    cost: { title: 'US dollars a question', format: dollars },
    quality: { title: `${metric}, %`, format: tickPercent },
  });
}

/**
 * Returns the start's score plus the gain of a candidate, so that gains of both halves can be
 * compared in one chart.
 */
function qualityOf(row: TuneRow, { scoreA, scoreB }: TuneRow): Interval {
  const from = scoreB ?? scoreA ?? 0;
  const mean = gainOf(row);
  const { low, high } = row.differenceB ?? { low: mean, high: mean };
  const within = (gain: number) => Math.max(0, Math.min(1, from + gain));
  return { mean: within(mean), low: within(low), high: within(high) };
}
