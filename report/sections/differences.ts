/** What runs differ by, and whether that is more than noise. Pure. */
import type { RunComparison, RunControl } from '../../evaluation/runs/compare.js';
import { DIFFERENCES, findingText, rangeText } from '../../evaluation/runs/comparison-text.js';
import type { RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import { forkAccountText } from '../../evaluation/runs/fork-text.js';
import { count, percent, plural, points, pValue } from '../../evaluation/runs/numbers.js';
import { domainOf, whisker } from '../charts/whisker.js';
import { html, type Markup } from '../html.js';
import { colourOf, figure, runLabel, scroller } from './parts.js';

export function differenceSections(evaluation: RunsEvaluation): (Markup | undefined)[] {
  const { comparisons, controls, forks, notes } = evaluation;
  return [
    figure(
      'differences',
      'Differences',
      `${DIFFERENCES}. Corrected together, by Holm, are the main metrics of the kinds of question in a data set of which there are 20 or more.`,
      comparisons.length + notes.length === 0
        ? undefined
        : html`${comparisons.length > 0 && differenceTable(evaluation)}${notes.map((note) => html`<p class="note">${note}</p>`)}`,
    ),
    figure(
      'forks',
      'Forks',
      'What each fork took beside the run that it is forked of, and how many answers its change made others.',
      forks.length === 0 ? undefined : forkList(evaluation),
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
    html`<table><thead><tr><th scope="col">Runs</th><th scope="col">Metric</th><th scope="col">Difference, interval at the level of its test</th><th scope="col" class="number">p</th><th scope="col" class="number">p, corrected</th><th scope="col">Right in one only</th><th scope="col">Finding</th></tr></thead><tbody>${comparisons.map(
      (
        comparison,
      ) => html`<tr><th scope="row">${pairLabel(runs, comparison)}</th><td>${comparison.title}</td>
<td><div class="score"><b>${points(comparison.difference.mean)}</b> <span>${rangeText(comparison.difference, comparison.level)}</span>${whisker(comparison.difference, domain, { colour: colourOf(winner(comparison)), zero: true })}</div></td>
<td class="number">${pValue(comparison.p)}</td><td class="number">${comparison.corrected === null ? '–' : pValue(comparison.corrected)}</td><td>${discordant(runs, comparison)}</td><td>${finding(runs, comparison)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function controlTable({ runs, controls }: RunsEvaluation): Markup {
  const rows = controls.map(
    (control) => html`<tr><th scope="row">${pairLabel(runs, control)}</th><td>${control.title}</td>
<td><div class="score"><b>${points(control.difference.mean)}</b> <span>${rangeText(control.difference, control.level)}</span></div></td>
<td class="number">${percent(control.churn)} % of ${count(control.questions)}</td>
<td>${control.passed ? 'no difference, as it must be' : html`<strong class="warn">they differ: something else changed</strong>`}</td></tr>`,
  );
  return scroller(
    'The same experiment twice',
    html`<table><thead><tr><th scope="col">Runs</th><th scope="col">Metric</th><th scope="col">Difference</th><th scope="col" class="number">Scores changed</th><th scope="col">Finding</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

function forkList({ runs, forks }: RunsEvaluation): Markup {
  return html`${forks.map(
    (account) =>
      html`<ul class="forks">${forkAccountText(account, nameIn(runs)).map((line) => html`<li>${line}</li>`)}</ul>`,
  )}`;
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
  { first, second, rightOnly, questions }: RunComparison,
): Markup {
  if (!rightOnly) return html`<span class="none">graded, ${plural(questions, 'question')}</span>`;
  const name = nameIn(runs);
  return html`${name(first)} ${count(rightOnly.first)}, ${name(second)} ${count(rightOnly.second)}`;
}

function finding(runs: RunsEvaluation['runs'], comparison: RunComparison): Markup {
  const text = findingText(comparison, nameIn(runs));
  return comparison.finding === 'differs' ? html`<strong>${text}</strong>` : html`${text}`;
}

function nameIn(runs: RunsEvaluation['runs']) {
  return (position: number) => runs[position]?.manifest.run ?? '';
}
