/** The comparison table: every metric of every run with its interval. Pure. */
import type { RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import type { MetricGroup, ShownMetric } from '../../evaluation/runs/metrics.js';
import { count, overFewer, percent, plural } from '../../evaluation/runs/numbers.js';
import { metricFigures, type RunFigures } from '../../evaluation/runs/run-figures.js';
import { unscoredTexts } from '../../evaluation/runs/unscored-text.js';
import type { MeanScore } from '../../evaluation/score-summary.js';
import { type Domain, domainOf, whisker } from '../charts/whisker.js';
import { html, type Markup } from '../html.js';
import { colourOf, figure, runLabel, scroller } from './parts.js';

/** The questions of a mean. */
const BASES = [
  { basis: 'all', title: 'Failed counted as wrong' },
  { basis: 'withoutFailed', title: 'Failed left out' },
  { basis: 'answered', title: 'Answered only' },
] as const;

const GROUPS: [groups: MetricGroup[], title: string, lead: string][] = [
  [['answer', 'judged'], 'Scores', 'In per cent, with Wilson’s 95 % intervals.'],
  [
    ['retrieval'],
    'Retrieval',
    'Over the questions that did not fail, those for which nothing was found included: whether one of the first k holds an answer, and the share of all answers that they hold.',
  ],
];

export function scoreSections({ runs, metrics: all }: RunsEvaluation): (Markup | undefined)[] {
  return GROUPS.map(([groups, title, lead]) => {
    const metrics = all.filter(({ group }) => groups.includes(group));
    if (metrics.length === 0) return undefined;
    const isOfAnswers = groups.includes('answer');
    const content = html`${isOfAnswers && basisChoice()}${scroller(title, scoreTable(runs, metrics))}${isOfAnswers && unscoredNotes(runs)}`;
    return figure(title.toLowerCase(), title, lead, content);
  });
}

/** Returns the choice among the three means; the style sheet hides the others. */
function basisChoice(): Markup {
  return html`<fieldset class="choice"><legend class="unseen">Questions without an answer</legend>${BASES.map(
    ({ basis, title }, i) =>
      html`<label><input type="radio" name="basis" value="${basis}"${i === 0 && html` checked`}><span>${title}</span></label>`,
  )}</fieldset>`;
}

/** Answers without a score in a metric of your own. */
function unscoredNotes(runs: readonly RunFigures[]): Markup[] {
  return runs.flatMap((run, position) =>
    unscoredTexts(run.unscored, run.manifest.metrics).map(
      (text) => html`<p class="note">${runLabel(run, position)}: ${text}</p>`,
    ),
  );
}

function scoreTable(runs: readonly RunFigures[], metrics: readonly ShownMetric[]): Markup {
  const names = metrics.map(({ metric }) => metric);
  const domains = new Map(names.map((metric) => [metric, domainOfMetric(runs, metric)]));
  const heads = metrics.map(({ title }) => html`<th scope="col">${title}</th>`);
  const rows = runs.map(
    (run, position) =>
      html`<tr><th scope="row">${runLabel(run, position)}<small>${run.manifest.input.method}, ${endedText(run)} questions</small></th>${names.map(
        (metric) => scoreCell(run, position, metric, domains.get(metric)),
      )}</tr>`,
  );
  return html`<table class="scores"><thead><tr><th scope="col">Run</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}

function endedText({ ended, manifest: { questions } }: RunFigures): string {
  return ended < questions ? `${count(ended)} of ${count(questions)}` : count(questions);
}

function domainOfMetric(runs: readonly RunFigures[], metric: string): Domain {
  return domainOf(
    runs.flatMap((run) => {
      const figures = metricFigures(run, metric);
      return BASES.flatMap(({ basis }) => figures?.[basis] ?? []);
    }),
  );
}

function scoreCell(
  run: RunFigures,
  position: number,
  metric: string,
  domain: Domain = { low: 0, high: 1 },
): Markup {
  const figures = metricFigures(run, metric);
  if (!figures) return html`<td class="none">–</td>`;
  const same = figures.group === 'retrieval' ? BASES.slice(0, 1) : BASES;
  return html`<td>${same.map(({ basis }) =>
    scoreOf(
      figures[basis],
      figures.group === 'retrieval' ? '' : `basis ${basis}`,
      position,
      domain,
      run.ended,
    ),
  )}</td>`;
}

function scoreOf(
  score: MeanScore | undefined,
  classes: string,
  position: number,
  domain: Domain,
  ended: number,
): Markup {
  if (!score) return html`<div class="${classes} none">–</div>`;
  return html`<div class="score ${classes}" title="${plural(score.questions, 'question')}"><b>${percent(score.mean)}</b> <span>${percent(score.low)}–${percent(score.high)}${overFewer(score.questions, ended)}</span>
${whisker(score, domain, { colour: colourOf(position) })}</div>`;
}
