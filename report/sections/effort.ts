/** The effort of the runs: cost against quality, calls and tokens by step, time. Pure. */
import { paidCalls, savedOf, standardOf } from '../../core/usage.js';
import { savedText } from '../../evaluation/runs/comparison-text.js';
import { count, dollars, paidText, seconds, tickPercent } from '../../evaluation/runs/numbers.js';
import { metricFigures, type RunFigures } from '../../evaluation/runs/run-figures.js';
import { type StepFigures, tiersOf } from '../../evaluation/runs/step-usage.js';
import { costChart } from '../charts/cost-chart.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import { bar, type Column, cellLabel, rowTable } from './parts.js';

/** Cost in dollars if all prices are known, else in calls; cached calls count in both. */
export function costPlot({ cells, main }: ShownData): Markup | undefined {
  const costs = cells.map(({ figures }) => fullCost(figures));
  const isPriced = costs.every((cost) => cost !== null) && costs.some((cost) => cost !== 0);
  const points = cells.flatMap(({ number, label, colour, figures }, i) => {
    const quality = main === undefined ? undefined : metricFigures(figures, main.metric)?.all;
    if (!quality || figures.ended === 0) return [];
    const cost = (isPriced ? (costs[i] ?? 0) : figures.usage.calls) / figures.ended;
    return [{ number, name: label, colour, cost, quality }];
  });
  if (main === undefined || points.length < 2) return undefined;
  const chart = costChart(points, {
    cost: isPriced
      ? { title: 'US dollars a question', format: dollars }
      : { title: 'model calls a question', format: count },
    quality: { title: `${main.title}, %`, format: tickPercent },
  });
  return html`<div class="plot">${chart}</div>`;
}

export const COST_LEAD =
  'A call that the response cache served counts at what its response had cost. In calls where not all prices are known (DURABLE_RAG_PRICES).';

function fullCost({ usage }: RunFigures): number | null {
  const saved = savedOf(usage);
  return usage.costUsd === null || saved === null ? null : usage.costUsd + saved;
}

/** What the cells took: dollars, calls, tokens and time. */
export function effortTable({ id, cells }: ShownData): Markup {
  const each = (title: string, pick: (figures: RunFigures) => number): Column<ShownCell> => ({
    title,
    isNumber: true,
    cell: ({ figures }) => (figures.ended === 0 ? '' : count(pick(figures) / figures.ended)),
  });
  const text = (title: string, pick: (figures: RunFigures) => string): Column<ShownCell> => ({
    title,
    isNumber: true,
    cell: ({ figures }) => pick(figures),
  });
  return rowTable<ShownCell>(
    `effort-${id}`,
    { title: 'Cell', cell: cellLabel },
    [
      text('Paid', ({ usage }) => paidText(usage)),
      text('Estimated', ({ usage }) => (usage.estimated ? dollars(usage.estimated.costUsd) : '')),
      text('Repeated', ({ usage }) => (usage.estimated ? count(usage.estimated.repeated) : '')),
      text('At the usual tier', ({ usage }) =>
        usage.standardUsd === undefined ? '' : dollars(standardOf(usage)),
      ),
      text('Served', servedText),
      text('Saved', savedText),
      each('Paid calls', ({ usage }) => paidCalls(usage)),
      each('Searches', ({ retrievals }) => retrievals),
      each('Tokens in', ({ usage }) => usage.promptTokens),
      each('Tokens out', ({ usage }) => usage.completionTokens),
      text('Judge', ({ judging }) => (judging ? dollars(judging.costUsd) : '')),
      text('Median time', ({ durations }) => (durations ? seconds(durations.median) : '')),
      text('90 % within', ({ durations }) => (durations ? seconds(durations.p90) : '')),
    ],
    cells,
  );
}

/** "flex 380, default 20": calls by the tier that served them, if another one was asked for. */
function servedText({ steps }: RunFigures): string {
  const served = Object.entries(tiersOf(steps)).sort(([a], [b]) => (a < b ? -1 : 1));
  return served.map(([tier, calls]) => `${tier} ${count(calls)}`).join(', ');
}

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
  return html`<tr><th scope="row">${step}</th><td class="number">${count(calls / questions)}</td><td>${bars(most.calls, calls)}</td>
<td class="number">${count(Math.round(tokens / questions))}</td><td>${bars(most.tokens, tokens, completionTokens)}</td><td class="number">${costUsd === null ? '–' : dollars(costUsd / questions)}</td></tr>`;
}
