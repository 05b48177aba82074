/** Renders the effort of the runs: cost against quality, calls and tokens by step, time. Pure. */
import { dollars } from '../../core/dollars.js';
import { fullUsd, paidCalls } from '../../core/usage.js';
import { EFFORT_ROWS } from '../../evaluation/runs/effort-rows.js';
import { count, tickPercent } from '../../evaluation/runs/number-text.js';
import { metricFigures } from '../../evaluation/runs/run-figures.js';
import type { StepFigures } from '../../evaluation/runs/step-usage.js';
import { costChart } from '../charts/cost-chart.js';
import type { ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import { bar, cellLabel, cellTable, columnsFromRows } from './figure-parts.js';

/**
 * Returns an SVG chart, as `Markup`, of the main metric by mean cost of a question: in US dollars
 * if all prices are known and not all are 0, otherwise in model calls. Calls served from the cache
 * count in both. Cells in which no question has ended, and imported answers whose cost in this
 * unit is unknown, are left out. Undefined for fewer than two points, and if the cells have no
 * metric in common.
 */
export function costPlot({ cells, main }: ShownData): Markup | undefined {
  const costs = cells.map(({ figures }) => fullUsd(figures.usage));
  // Imported answers may have neither known costs nor calls, and are then left out.
  const known = costs.filter(
    (cost, i) => cost !== null || cells[i]?.figures.usage.answersWithoutUsage === undefined,
  );
  const isFree = known.every((cost) => cost === 0);
  const isPriced = known.every((cost) => cost !== null) && !isFree;
  const points = cells.flatMap(({ number, label, colour, figures }, i) => {
    const quality = main === undefined ? undefined : metricFigures(figures, main.metric)?.all;
    const isUnknown = isPriced
      ? costs[i] === null
      : figures.usage.answersWithoutUsage !== undefined;
    if (!quality || figures.ended === 0 || isUnknown) return [];
    const cost = (isPriced ? (costs[i] ?? 0) : figures.usage.calls) / figures.ended;
    return [{ number, name: label, colour, cost, quality }];
  });
  if (main === undefined || points.length < 2) return undefined;
  return costChart(points, {
    cost: isPriced
      ? { title: 'US dollars a question', format: dollars }
      : { title: `model calls a question${isFree ? ', at $0' : ''}`, format: count },
    quality: { title: `${main.title}, %`, format: tickPercent },
  });
}

/** Caption of the chart of quality by cost. */
export const COST_LEAD =
  'A call that the response cache served counts at what it cost when it was first made. The cost is in calls if a model has no price (DURABLE_RAG_PRICES), or if all models are free.';

/**
 * Returns an HTML table, as `Markup`, of each cell's calls, searches and tokens as means of a
 * question, its costs in US dollars as sums, and its times as medians and 90th percentiles.
 */
export function effortTable(data: ShownData): Markup {
  return cellTable('effort', data, columnsFromRows(EFFORT_ROWS));
}

/**
 * Returns, as `Markup`, one table for each cell, with its paid calls, their tokens and cost in US
 * dollars by step, as means of a question; undefined if no cell has any.
 */
export function stepPanels({ cells }: ShownData): Markup | undefined {
  const taken = cells.filter(({ figures }) => figures.steps.length > 0 && figures.ended > 0);
  if (taken.length === 0) return undefined;
  const each = taken.flatMap(({ figures: { steps, ended } }) =>
    steps.map((step) => ({
      calls: paidCalls(step) / ended,
      tokens: (step.promptTokens + step.completionTokens) / ended,
    })),
  );
  const most = {
    calls: Math.max(...each.map(({ calls }) => calls)) || 1,
    tokens: Math.max(1, ...each.map(({ tokens }) => tokens)),
  };
  const panels = taken.map(
    (cell) =>
      html`<div class="panel ${cell.colour}"><h4>${cellLabel(cell)}</h4><table class="steps"><thead><tr><th scope="col">Step</th><th scope="col" colspan="2">Calls</th><th scope="col" colspan="2">Tokens</th><th scope="col" class="number">Cost</th></tr></thead><tbody>${cell.figures.steps.map((step) => stepRow(step, cell.figures.ended, most))}</tbody></table></div>`,
  );
  return html`<div class="pictures">${panels}</div>`;
}

function stepRow(
  { step, promptTokens, completionTokens, costUsd, ...usage }: StepFigures,
  questions: number,
  most: { calls: number; tokens: number },
): Markup {
  const tokens = promptTokens + completionTokens;
  const calls = paidCalls(usage);
  const bars = (max: number, whole: number, part = 0) =>
    html`<svg class="bars" width="100%" height="10" aria-hidden="true">${bar(whole / questions / max)}${bar(part / questions / max, 'deep')}</svg>`;
  // A long name is broken between its words if there is little room.
  const name = step.split(/(?=[A-Z])/).map((word, i) => html`${i > 0 && html`<wbr>`}${word}`);
  return html`<tr><th scope="row">${name}</th><td class="number">${count(calls / questions)}</td><td>${bars(most.calls, calls)}</td>
<td class="number">${count(Math.round(tokens / questions))}</td><td>${bars(most.tokens, tokens, completionTokens)}</td><td class="number">${costUsd === null ? '–' : dollars(costUsd / questions)}</td></tr>`;
}
