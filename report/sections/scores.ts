/** The score table of a data set: its main metric with intervals, and the other metrics. Pure. */
import { sliceMean, sliceText, sliceValues } from '../../evaluation/comparisons/question-groups.js';
import { type ShownMetric, shownInOrder } from '../../evaluation/runs/metrics.js';
import { count, overFewer, percent, plural, scoreText } from '../../evaluation/runs/number-text.js';
import { metricFigures, type RunFigures } from '../../evaluation/runs/run-figures.js';
import { unscoredTexts } from '../../evaluation/runs/unscored-text.js';
import type { MeanScore } from '../../evaluation/score-summary.js';
import { domainOf, whisker } from '../charts/intervals.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import { type Column, cellLabel, cellTable, rowTable } from './figure-parts.js';

/** The sets of questions over which a mean is taken. */
const BASES = [
  { basis: 'all', title: 'Failed counted as wrong' },
  { basis: 'withoutFailed', title: 'Failed left out' },
  { basis: 'answered', title: 'Answered only' },
] as const;

/** Maximum number of metrics in a table besides the main one. */
const OTHERS = 4;

/**
 * Returns radio buttons, as `Markup`, that choose how means treat questions without an answer:
 * failed ones counted as wrong, failed ones left out, or answered ones only. The page contains all
 * three means; its style sheet shows the chosen one.
 */
export function basisChoice(): Markup {
  return html`<fieldset><legend class="unseen">Questions without an answer</legend>${BASES.map(
    ({ basis, title }, i) =>
      html`<label><input type="radio" name="basis" value="${basis}"${i === 0 && html` checked`}><span>${title}</span></label>`,
  )}</fieldset>`;
}

/**
 * Returns the main table of a data set, as `Markup`: the leading metric with intervals, up to four
 * other metrics that every cell has, and the number of ended questions. Undefined if the cells
 * have no metric in common.
 */
export function scoreTable(data: ShownData): Markup | undefined {
  const { cells, main } = data;
  if (!main) return undefined;
  const others = sharedMetrics(cells).filter(
    ({ metric, isHeadline }) => isHeadline && metric !== main.metric,
  );
  const domain = domainOf(
    cells.flatMap(({ figures }) => {
      const metric = metricFigures(figures, main.metric);
      return BASES.flatMap(({ basis }) => metric?.[basis] ?? []);
    }),
  );
  const hasRepeats = cells.some(({ cell }) => cell.runs.length > 1);
  const columns: Column<ShownCell>[] = [
    {
      title: `${main.title}, %`,
      cell: (cell) =>
        eachBasis(
          cell.figures,
          main,
          (score) =>
            html`<div class="score"><b>${percent(score.mean)}</b> <small>${percent(score.low)}–${percent(score.high)}${overFewer(score.questions, questionsOf(cell))}</small></div>${whisker(score, domain, cell.colour)}`,
        ),
    },
    {
      title: 'Repeats',
      isNumber: true,
      cell: ({ cell }) =>
        hasRepeats
          ? `${cell.runs.length}${cell.runs.length > 1 ? `, ± ${percent(cell.spread.get(main.metric) ?? 0)}` : ''}`
          : '',
    },
    ...others.slice(0, OTHERS).map(
      (metric): Column<ShownCell> => ({
        title: metric.title,
        isNumber: true,
        cell: ({ figures }) =>
          eachBasis(
            figures,
            metric,
            (score, own) =>
              html`<span title="${scoreText(score.low, own)}–${scoreText(score.high, own)}, ${plural(score.questions, 'question')}">${scoreText(score.mean, own)}</span>`,
          ),
      }),
    ),
    { title: 'Ended', isNumber: true, cell: ({ figures }) => endedText(figures) },
  ];
  return html`${cellTable('scores', data, columns)}${unscoredNotes(cells)}`;
}

/** Returns the number of distinct questions of a cell. */
function questionsOf({ figures, cell }: ShownCell): number {
  return Math.round(figures.manifest.questions / cell.runs.length);
}

/**
 * Returns an HTML table, as `Markup`, with one row for each metric of any cell and one column for
 * each cell.
 */
export function allMetricsTable({ id, cells }: ShownData): Markup {
  const metrics = shownInOrder(cells.flatMap(({ figures }) => figures.metrics));
  const columns = cells.map(
    (cell): Column<ShownMetric> => ({
      title: `${cell.number} ${cell.label}`,
      isNumber: true,
      cell: (metric) =>
        eachBasis(
          cell.figures,
          metric,
          (score, own) =>
            html`<b>${scoreText(score.mean, own)}</b> <small>${scoreText(score.low, own)}–${scoreText(score.high, own)}${overFewer(score.questions, isOver(cell) ? 0 : questionsOf(cell))}</small>`,
        ),
    }),
  );
  const head = {
    title: 'Metric, %',
    cell: ({ title, range }: ShownMetric) => (range ? `${title} (number)` : title),
  };
  return html`<div class="scroller" tabindex="0" role="region" aria-label="All metrics">${rowTable(`metrics-${id}`, head, columns, metrics)}</div>`;
}

function isOver({ figures: { ended, manifest } }: ShownCell): boolean {
  return ended >= manifest.questions;
}

/**
 * Returns an HTML table, as `Markup`, of the headline metrics (those that summaries show) by
 * slice; undefined if the cells have no slices or no such metric.
 */
export function sliceTable({ id, cells }: ShownData): Markup | undefined {
  const values = sliceValues(cells.map(({ cell }) => cell));
  const field = cells.find(({ cell }) => cell.slices)?.cell.slices?.field ?? '';
  const metrics = shownInOrder(cells.flatMap(({ figures }) => figures.metrics)).filter(
    ({ isHeadline }) => isHeadline,
  );
  const rows = values.flatMap((value) => metrics.map((metric) => ({ value, metric })));
  if (rows.length === 0) return undefined;
  return rowTable(
    `slices-${id}`,
    { title: field, cell: ({ value }: (typeof rows)[number]) => sliceText(field, value) },
    [
      { title: 'Metric, %', cell: ({ metric }) => metric.title },
      ...cells.map(({ cell, label, figures }) => ({
        title: label,
        isNumber: true,
        cell: ({ value, metric }: (typeof rows)[number]) => {
          const found = metricFigures(figures, metric.metric);
          const mean = found && sliceMean(found, cell, value);
          if (!mean) return '–';
          return html`<b>${scoreText(mean.mean, found)}</b> <small>${scoreText(mean.low, found)}–${scoreText(mean.high, found)}, n=${count(mean.questions)}</small>`;
        },
      })),
    ],
    rows,
  );
}

function sharedMetrics(cells: readonly ShownCell[]): ShownMetric[] {
  const [first, ...others] = cells;
  return (first?.figures.metrics ?? []).filter(({ metric }) =>
    others.every(({ figures }) => metricFigures(figures, metric) !== undefined),
  );
}

function eachBasis(
  figures: RunFigures,
  { metric }: ShownMetric,
  draw: (score: MeanScore, metric: ShownMetric) => Markup,
): Markup | string {
  const found = metricFigures(figures, metric);
  if (!found) return '';
  return html`${BASES.map(({ basis }) => {
    const score = found[basis];
    return html`<span class="basis ${basis}">${score ? draw(score, found) : '–'}</span>`;
  })}`;
}

function endedText({ ended, manifest: { questions } }: RunFigures): string {
  return ended < questions ? `${count(ended)} of ${count(questions)}` : count(questions);
}

/** Returns notes on answers without a score in a custom metric. */
function unscoredNotes(cells: readonly ShownCell[]): Markup[] {
  return cells.flatMap((cell) =>
    unscoredTexts(cell.figures.unscored, cell.figures.manifest.metrics).map(
      (text) => html`<p class="note">${cellLabel(cell)}: ${text}</p>`,
    ),
  );
}
