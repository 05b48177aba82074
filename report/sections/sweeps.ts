/** Noise robustness: scores over the share of passages that hold no answer. Pure. */
import { leadingMetric, type RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import type { NoiseSweep } from '../../evaluation/runs/noise-sweeps.js';
import { count } from '../../evaluation/runs/numbers.js';
import { metricFigures } from '../../evaluation/runs/run-figures.js';
import { type SweepLine, sweepChart } from '../charts/sweep-chart.js';
import { html, type Markup } from '../html.js';
import { colourOf, figure } from './parts.js';

const KINDS = { top: 'top-ranked noise', random: 'random noise' };

export function sweepSection({ runs, sweeps }: RunsEvaluation): Markup | undefined {
  const metric = leadingMetric(runs);
  if (sweeps.length === 0) return undefined;
  const nameOf = ({ method, kind, count: k }: NoiseSweep) =>
    `${method}, ${KINDS[kind]}${sweeps.some((other) => other.count !== k) ? `, k = ${k}` : ''}`;
  const linesOf = (pointOf: (run: number) => Omit<SweepLine['points'][0], 'ratio'> | undefined) =>
    sweeps.map(
      (sweep, i): SweepLine => ({
        name: nameOf(sweep),
        colour: colourOf(i),
        points: sweep.points.flatMap(({ ratio, run }) => {
          const point = pointOf(run);
          return point ? [{ ratio, ...point }] : [];
        }),
      }),
    );
  const scores = linesOf((position) => {
    const run = runs[position];
    const all = run && metric !== undefined ? metricFigures(run, metric.metric)?.all : undefined;
    return all && { value: all.mean, interval: all };
  });
  const rejected = linesOf((position) => {
    const value = runs[position]?.rejectRate;
    return value === undefined ? undefined : { value };
  });
  return figure(
    'noise',
    'Robustness to noise',
    'What happens as passages that hold no answer take the place of those that do.',
    html`<p class="legend">${sweeps.map((sweep, i) => html`<span class="run ${colourOf(i)}"><i class="dot"></i>${nameOf(sweep)}</span> `)}</p>
${incompleteNote(runs)}<div class="panels">${metric !== undefined && html`<div class="panel">${sweepChart(`${metric.title}, %`, scores)}</div>`}
<div class="panel">${sweepChart('reject rate, %', rejected)}</div></div>`,
  );
}

/** Runs that did not get their share of noise. */
function incompleteNote(runs: RunsEvaluation['runs']): Markup[] {
  return runs.flatMap(({ manifest: { run, noise } }) =>
    noise && noise.incomplete > 0
      ? html`<p class="note">In ${run} ${count(noise.incomplete)} questions had too few passages of one kind, and so another share of noise.</p>`
      : [],
  );
}
