/** The effort of the runs: cost against quality, calls and tokens by step, time. Pure. */
import { paidCalls, savedOf, standardOf } from '../../core/usage.js';
import { savedText } from '../../evaluation/runs/comparison-text.js';
import { leadingMetric, type RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import { count, dollars, paidText, seconds, tickPercent } from '../../evaluation/runs/numbers.js';
import { metricFigures, type RunFigures } from '../../evaluation/runs/run-figures.js';
import { type StepFigures, tiersOf } from '../../evaluation/runs/step-usage.js';
import { costChart } from '../charts/cost-chart.js';
import { durationChart, spanOf } from '../charts/duration-chart.js';
import { html, type Markup } from '../html.js';
import { bar, colourOf, figure, runLabel, scroller } from './parts.js';

/** Cost in dollars if all prices are known, else in calls; cached calls count in both. */
export function costSection({ runs }: RunsEvaluation): Markup | undefined {
  const metric = leadingMetric(runs);
  const costs = runs.map(fullCost);
  const isPriced = costs.every((cost) => cost !== null) && costs.some((cost) => cost !== 0);
  const points = runs.flatMap((run, position) => {
    const quality = metric === undefined ? undefined : metricFigures(run, metric.metric)?.all;
    if (!quality || run.ended === 0) return [];
    const cost = (isPriced ? (costs[position] ?? 0) : run.usage.calls) / run.ended;
    return [{ name: run.manifest.run, colour: colourOf(position), cost, quality }];
  });
  if (metric === undefined || points.length === 0) return undefined;
  const chart = costChart(points, {
    cost: isPriced
      ? { title: 'US dollars a question', format: dollars }
      : { title: 'model calls a question', format: count },
    quality: { title: `${metric.title}, %`, format: tickPercent },
  });
  return figure(
    'cost',
    'Quality against cost',
    isPriced
      ? 'A call that the response cache served counts at what its response had cost.'
      : 'In calls, those from the response cache included, since not all prices are known (DURABLE_RAG_PRICES).',
    html`<div class="plot">${chart}</div>${costTable(runs)}`,
  );
}

function fullCost({ usage }: RunFigures): number | null {
  const saved = savedOf(usage);
  return usage.costUsd === null || saved === null ? null : usage.costUsd + saved;
}

function costTable(runs: readonly RunFigures[]): Markup {
  const hasJudge = runs.some(({ judging }) => judging);
  const hasLost = runs.some(({ usage }) => usage.estimated !== undefined);
  const hasTier = runs.some(({ usage }) => usage.standardUsd !== undefined);
  return scroller(
    'Cost',
    html`<table><thead><tr><th scope="col">Run</th><th scope="col" class="number">Paid</th>${hasLost && html`<th scope="col" class="number">Of which estimated</th><th scope="col" class="number">Calls repeated</th>`}${hasTier && html`<th scope="col" class="number">At the usual tier</th><th scope="col">Served</th>`}<th scope="col" class="number">Saved by the cache</th><th scope="col" class="number">Paid calls a question</th><th scope="col" class="number">Searches</th><th scope="col" class="number">Prompt tokens</th><th scope="col" class="number">Completion tokens</th>${hasJudge && html`<th scope="col" class="number">Judge</th>`}</tr></thead><tbody>${runs.map(
      (
        run,
        position,
      ) => html`<tr><th scope="row">${runLabel(run, position)}</th><td class="number">${paidText(run.usage)}</td>${hasLost && html`<td class="number">${dollars(run.usage.estimated ? run.usage.estimated.costUsd : 0)}</td><td class="number">${count(run.usage.estimated?.repeated ?? 0)}</td>`}${hasTier && html`<td class="number">${dollars(standardOf(run.usage))}</td><td>${servedText(run)}</td>`}<td class="number">${savedText(run) || '–'}</td>
${[paidCalls(run.usage), run.retrievals, run.usage.promptTokens, run.usage.completionTokens].map(
  (sum) => html`<td class="number">${run.ended === 0 ? '–' : count(sum / run.ended)}</td>`,
)}${hasJudge && html`<td class="number">${run.judging ? dollars(run.judging.costUsd) : '–'}</td>`}</tr>`,
    )}</tbody></table>`,
  );
}

/** "flex 380, default 20": calls by the tier that served them, if another one was asked for. */
function servedText({ steps }: RunFigures): string {
  const served = Object.entries(tiersOf(steps)).sort(([a], [b]) => (a < b ? -1 : 1));
  return served.map(([tier, calls]) => `${tier} ${count(calls)}`).join(', ') || '–';
}

export function stepSection({ runs }: RunsEvaluation): Markup | undefined {
  const taken = runs.filter(({ steps, ended }) => steps.length > 0 && ended > 0);
  if (taken.length === 0) return undefined;
  const each = taken.flatMap(({ steps, ended }) =>
    steps.map((step) => ({
      calls: paidCalls(step) / ended,
      tokens: (step.promptTokens + step.completionTokens) / ended,
    })),
  );
  const most = {
    calls: Math.max(...each.map(({ calls }) => calls)) || 1,
    tokens: Math.max(1, ...each.map(({ tokens }) => tokens)),
  };
  const panels = runs.map((run, position) =>
    run.steps.length === 0 || run.ended === 0
      ? ''
      : html`<div class="panel ${colourOf(position)}"><h3>${runLabel(run, position)}</h3>${scroller(
          `Steps of ${run.manifest.run}`,
          html`<table class="steps"><thead><tr><th scope="col">Step</th><th scope="col" colspan="2">Calls</th><th scope="col" colspan="2">Tokens</th><th scope="col" class="number">Cost</th></tr></thead><tbody>${run.steps.map((step) => stepRow(step, run.ended, most))}</tbody></table>`,
        )}</div>`,
  );
  return figure(
    'steps',
    'Calls and tokens by step',
    'Of the calls that were paid, a question on average, on one scale for all runs. The strong part of a bar: completion tokens.',
    html`<div class="panels">${panels}</div>`,
  );
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
  return html`<tr><th scope="row">${step}</th><td class="number">${count(calls / questions)}</td><td class="narrow">${bars(most.calls, calls)}</td>
<td class="number">${count(Math.round(tokens / questions))}</td><td class="narrow">${bars(most.tokens, tokens, completionTokens)}</td><td class="number">${costUsd === null ? '–' : dollars(costUsd / questions)}</td></tr>`;
}

export function timeSection({ runs }: RunsEvaluation): Markup | undefined {
  const all = runs.flatMap(({ durations }) => durations ?? []);
  if (all.length === 0) return undefined;
  const span = spanOf(all);
  const panels = runs.map((run, position) =>
    run.durations
      ? html`<div class="panel"><h3>${runLabel(run, position)}<small>median ${seconds(run.durations.median)}, 90 % within ${seconds(run.durations.p90)}</small></h3>${durationChart(run.durations, span, colourOf(position))}</div>`
      : '',
  );
  return figure(
    'time',
    'Time a question',
    'From its start to its end, waiting for its turn at the provider included. Lines: the median, and dotted the time within which 90 % ended. The axis goes by factors.',
    html`<div class="panels">${panels}</div>`,
  );
}
