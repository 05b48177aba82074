/** What many runs differ by: for each metric every run against every other. Pure. */
import type { RunComparison } from '../../runs/compare.js';
import type { RunsEvaluation } from '../../runs/evaluate-runs.js';
import { points, pValue } from '../../runs/numbers.js';
import { LEVEL } from '../../statistics/compare-runs.js';
import { html, type Markup } from '../html.js';
import { runLabel, scroller } from './parts.js';

/** Row less column; what is no more than chance stands back. */
export function differenceMatrices({ runs, comparisons }: RunsEvaluation): Markup {
  const metrics = [...new Set(comparisons.map(({ metric }) => metric))];
  const compared = runs.flatMap((run, position) =>
    comparisons.some(({ first, second }) => first === position || second === position)
      ? [{ run, position }]
      : [],
  );
  const matrices = metrics.map((metric) => {
    const ofMetric = comparisons.filter((comparison) => comparison.metric === metric);
    const rows = compared.map(
      ({ run, position }) =>
        html`<tr><th scope="row">${runLabel(run, position)}</th>${compared.map((column) => cell(ofMetric, position, column.position))}</tr>`,
    );
    const title = ofMetric[0]?.title ?? metric;
    const columns = compared.map(
      ({ run, position }) => html`<th scope="col" class="number">${runLabel(run, position)}</th>`,
    );
    return html`<h3>${title}<small>row less column; bold where p is below ${LEVEL}, with 20 questions or more</small></h3>${scroller(
      `Differences in ${title}`,
      html`<table class="matrix"><thead><tr><td></td>${columns}</tr></thead><tbody>${rows}</tbody></table>`,
    )}`;
  });
  return html`<div class="matrices">${matrices}</div>`;
}

function cell(comparisons: readonly RunComparison[], row: number, column: number): Markup {
  const found = comparisons.find(
    ({ first, second }) =>
      (first === row && second === column) || (first === column && second === row),
  );
  if (!found) return html`<td></td>`;
  const { first, difference, corrected, withinNoise, tooFew } = found;
  const text = points(first === row ? difference.mean : -difference.mean);
  const isFound = corrected < LEVEL && !withinNoise && !tooFew;
  return html`<td class="number">${isFound ? html`<b>${text}</b>` : html`<span class="none">${text}</span>`}<small>p ${pValue(corrected)}</small></td>`;
}
