/** What runs differ by, and whether that is more than noise. Pure. */
import type { RunComparison, RunControl } from '../../runs/compare.js';
import type { RunsEvaluation } from '../../runs/evaluate-runs.js';
import { count, percent, points, pValue, questionCount } from '../../runs/numbers.js';
import { LEVEL } from '../../statistics/compare-runs.js';
import type { Interval } from '../../statistics/score-interval.js';
import { domainOf, whisker } from '../charts/whisker.js';
import { html, type Markup } from '../html.js';
import { differenceMatrices } from './difference-matrices.js';
import { colourOf, figure, runLabel, scroller } from './parts.js';

/** With more rows than these the differences are shown as matrices. */
const MOST_ROWS = 12;

export function differenceSections(evaluation: RunsEvaluation): (Markup | undefined)[] {
  const { comparisons, controls, notes } = evaluation;
  const differences =
    comparisons.length > MOST_ROWS ? differenceMatrices(evaluation) : differenceTable(evaluation);
  return [
    figure(
      'differences',
      'Differences',
      'In points, on the questions that two runs have in common, with unanswered ones counted as wrong. p by McNemar’s test where scores are 0 or 1, else by a permutation test, corrected by Holm for all differences shown. Fewer than 20 questions are too few to tell.',
      comparisons.length + notes.length === 0
        ? undefined
        : html`${comparisons.length > 0 && differences}${notes.map((note) => html`<p class="note">${note}</p>`)}`,
    ),
    figure(
      'control',
      'The same experiment twice',
      'What runs of one method, one input and one data set differ by is noise: a difference between methods that is no larger says nothing.',
      controls.length === 0 ? undefined : controlTable(evaluation),
    ),
  ];
}

function differenceTable({ runs, comparisons }: RunsEvaluation): Markup {
  const domain = domainOf(
    comparisons.map(({ difference }) => difference),
    true,
  );
  return scroller(
    'Differences',
    html`<table><thead><tr><th scope="col">Runs</th><th scope="col">Metric</th><th scope="col">Difference</th><th scope="col" class="number">p, corrected</th><th scope="col">Right in one only</th><th scope="col">Finding</th></tr></thead><tbody>${comparisons.map(
      (
        comparison,
      ) => html`<tr><th scope="row">${pairLabel(runs, comparison)}</th><td>${comparison.title}</td>
<td><div class="score"><b>${points(comparison.difference.mean)}</b> <span>${range(comparison.difference)}</span>${whisker(comparison.difference, domain, { colour: colourOf(winner(comparison)), zero: true })}</div></td>
<td class="number">${pValue(comparison.corrected)}</td><td>${discordant(runs, comparison)}</td><td>${finding(runs, comparison)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function controlTable({ runs, controls }: RunsEvaluation): Markup {
  const rows = controls.map(
    (control) => html`<tr><th scope="row">${pairLabel(runs, control)}</th><td>${control.title}</td>
<td><div class="score"><b>${points(control.difference.mean)}</b> <span>${range(control.difference)}</span></div></td>
<td class="number">${percent(control.churn)} % of ${count(control.questions)}</td>
<td>${control.passed ? 'no difference, as it must be' : html`<strong class="warn">they differ: something else changed</strong>`}</td></tr>`,
  );
  return scroller(
    'The same experiment twice',
    html`<table><thead><tr><th scope="col">Runs</th><th scope="col">Metric</th><th scope="col">Difference</th><th scope="col" class="number">Scores changed</th><th scope="col">Finding</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

function pairLabel(
  runs: RunsEvaluation['runs'],
  { first, second }: RunComparison | RunControl,
): Markup {
  const label = (position: number) => {
    const run = runs[position];
    return run && runLabel(run, position);
  };
  return html`${label(first)} <span class="less">less</span> ${label(second)}`;
}

function winner({ first, second, difference }: RunComparison): number {
  return difference.mean >= 0 ? first : second;
}

function discordant(
  runs: RunsEvaluation['runs'],
  { first, second, mcnemar, questions }: RunComparison,
): Markup {
  if (!mcnemar) return html`<span class="none">graded, ${questionCount(questions)}</span>`;
  const name = (position: number) => runs[position]?.manifest.run;
  return html`${name(first)} ${count(mcnemar.onlyFirst)}, ${name(second)} ${count(mcnemar.onlySecond)}`;
}

function finding(runs: RunsEvaluation['runs'], comparison: RunComparison): Markup {
  const { corrected, withinNoise, tooFew } = comparison;
  if (tooFew) return html`too few questions to tell`;
  if (withinNoise) return html`no more than the same experiment twice`;
  if (corrected >= LEVEL) return html`no difference shown`;
  return html`<strong>${runs[winner(comparison)]?.manifest.run} is better</strong>`;
}

function range({ low, high }: Interval): string {
  return `${points(low)} to ${points(high)}`;
}
