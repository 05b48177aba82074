/** Renders a data set in the report: scores, differences, costs and disagreements of its cells. Pure. */

import type { RunCell } from '../../evaluation/runs/cells.js';
import { count, plural } from '../../evaluation/runs/number-text.js';
import { decisionText, savingsText } from '../../evaluation/study/decision-text.js';
import { bandChart } from '../charts/intervals.js';
import type { ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import type { IndexRow } from '../page-data.js';
import { differenceLead, differenceTable, forestOf } from './differences.js';
import { COST_LEAD, costPlot, effortTable, stepPanels } from './effort.js';
import { explanationFigures, type ShownExplanation } from './explanations.js';
import { captionedFigure, foldablePart } from './figure-parts.js';
import { flagTable, OUTCOME_LEAD, outcomeTable } from './outcomes.js';
import { allMetricsTable, scoreTable, sliceTable } from './scores.js';

/**
 * Contents of a data set's section that are not computed from its figures: the explanations of
 * wrong answers.
 */
export interface SectionExtras {
  explanations: readonly ShownExplanation[];
}

/** Number of cells above which details are folded. */
const FEW = 3;
/** Number of questions that are listed as disagreements. */
const NAMED = 5;

/**
 * Returns, as `Markup`, the section of a data set in the report: its scores, charts of differences
 * and cost, and tables of the details.
 *
 * @param rows Its questions, those with the most disagreement first.
 * @param all Number of cells in the whole report; if it is above 3, most details are folded.
 */
export function dataSetSection(
  data: ShownData,
  rows: readonly IndexRow[],
  all: number,
  { explanations }: SectionExtras,
): Markup {
  const { id, title, shared, cells } = data;
  const isFew = all <= FEW;
  const asked = `${plural(rows.length, 'question')}${cells.length > 1 ? `, ${count(cells.length)} cells` : ''}`;
  const bands = decisionFigures(data);
  // A fixed-size test would find too much if the questions were chosen sequentially.
  const forest = captionedFigure(
    `${id}-forest`,
    'Against the baseline',
    forestOf(data),
    'A filled point is a difference that the test shows; its interval does not include 0. “All differences” names the test.',
  );
  return html`<section class="data" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="lead">${[asked, shared].filter((text) => text !== '').join('. All: ')}.</p>
${scoreTable(data)}
<div class="pictures">${bands.length > 0 ? bands : forest}
${captionedFigure(`${id}-cost`, 'Quality against cost', costPlot(data), COST_LEAD)}</div>
${explanationFigures(data, explanations)}
${disagreements(data, rows)}
${foldablePart(`${id}-metrics`, 'All metrics', 'In per cent, with 95 % intervals. Recall@k leaves failed questions out. While a run is under way, n is the number of questions in a score.', allMetricsTable(data), isFew)}
${foldablePart(`${id}-slices`, 'By slice', 'In per cent, with 95 % intervals and the questions of each slice.', sliceTable(data), true)}
${foldablePart(`${id}-differences`, 'All differences', differenceLead(data), differenceTable(data), isFew)}
${foldablePart(`${id}-outcomes`, 'How questions ended', OUTCOME_LEAD, outcomeTable(data), isFew)}
${foldablePart(`${id}-effort`, 'Cost and time', 'Calls, searches and tokens are means of a question, times are medians and 90th percentiles, and costs are sums. Working time leaves out waits and failed attempts; wall time is from start to end.', effortTable(data), isFew)}
${foldablePart(`${id}-steps`, 'Calls and tokens by step', 'Paid calls and their tokens, on average a question; all bars have one scale. The dark part of a bar is completion tokens.', stepPanels(data), isFew)}
${foldablePart(`${id}-flags`, 'Flags', 'Questions in which a step was asked again, fell back to a default, or had another unusual event.', flagTable(data), isFew)}
</section>`;
}

/**
 * Returns links to the questions on which the cells disagree most; undefined if they agree on all.
 */
function disagreements({ id, cells }: ShownData, rows: readonly IndexRow[]): Markup | undefined {
  if (cells.length < 2) return undefined;
  const split = rows.filter(({ split }) => split > 0);
  if (split.length === 0) return undefined;
  return html`<div class="part" id="${id}-disagree"><h3>Questions on which cells disagree</h3>
<ol class="split">${split.slice(0, NAMED).map((row) => {
    const ended = row.runs.filter((cell) => cell !== null);
    const right = ended.filter(({ state }) => state === 'right').length;
    return html`<li><a href="#q=${encodeURIComponent(row.key)}">${row.question}</a> <small>right in ${right} of ${ended.length}</small></li>`;
  })}</ol>
<p><a href="#questions">All ${count(split.length)} of them, first in the list</a></p></div>`;
}

/** Returns a chart for each sequential comparison of a data set, with its result. */
function decisionFigures({ id, cells, comparisons }: ShownData): Markup[] {
  const shown = new Map(cells.map((one) => [one.cell, one]));
  return comparisons.flatMap(({ pair, title, sequential }, i) => {
    const [cell, against] = [shown.get(pair.first), shown.get(pair.second)];
    if (!sequential || !cell || !against) return [];
    const key = `${id}-decision-${i + 1}`;
    const { band, decidedAt } = sequential;
    const chart = bandChart({ title: `${title}, points`, colour: cell.colour, band, decidedAt });
    const saved = savingsText([pair.first, pair.second].map(askedOf));
    const caption = `${cell.label}: ${decisionText(sequential, against.label)}. ${saved}`;
    return captionedFigure(key, `${cell.label} minus ${against.label}`, chart, caption) ?? [];
  });
}

function askedOf(cell: RunCell) {
  const { ended, usage } = cell.figures;
  return { ...cell, answers: ended, usage };
}
