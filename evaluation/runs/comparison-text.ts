/** Runs side by side as plain text, for the terminal. Pure. */
import type { MeanScore } from '../score-summary.js';
import type { Interval } from '../statistics/score-interval.js';
import { EFFORT, OUTCOMES, type Row } from './account.js';
import type { Finding, RunComparison, RunControl } from './compare.js';
import type { RunsEvaluation } from './evaluate-runs.js';
import { forkAccountText, forkText } from './fork-text.js';
import type { ShownMetric } from './metrics.js';
import { count, overFewer, percent, plural, points, pValue } from './numbers.js';
import { metricFigures, type RunFigures } from './run-figures.js';
import { modelsText } from './run-labels.js';
import { unscoredTexts } from './unscored-text.js';

/** Stands over the differences, wherever they are shown. */
export const DIFFERENCES =
  'Differences in points, of a run less its baseline, with unanswered questions counted as wrong; each interval is that of the test beside it, at its level, and holds 0 where the test finds nothing';

/** The figures of runs, a column each, and below them what the runs differ by. */
export function comparisonText(evaluation: RunsEvaluation): string {
  const { runs, metrics, comparisons, controls, forks, notes } = evaluation;
  const unscored = runs.flatMap(({ manifest, unscored }) =>
    unscoredTexts(unscored, manifest.metrics).map((text) => `${manifest.run}, ${text}`),
  );
  const rows = [...standing, ...scores(metrics), ...OUTCOMES, ...EFFORT].map(([title, cell]) => [
    title,
    ...runs.map(cell),
  ]);
  const names = runs.map(({ manifest }) => manifest.run);
  const nameOf = (position: number) => names[position] ?? '';
  return [
    table([['', ...names], ...rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''))]),
    ...paragraph(
      DIFFERENCES,
      comparisons.map((comparison) => differenceText(comparison, nameOf)),
    ),
    ...paragraph(
      'The same experiment twice',
      controls.map((control) => controlText(control, nameOf)),
    ),
    ...paragraph(
      'Forks',
      forks.flatMap((account) => forkAccountText(account, nameOf)),
    ),
    ...paragraph('Note', [...notes, ...unscored]),
  ].join('\n\n');
}

const standing: Row[] = [
  ['method', ({ manifest }) => manifest.input.method],
  ['data set', ({ manifest }) => manifest.dataset.file],
  ['model', ({ manifest }) => modelsText(manifest.models)],
  ['seed', ({ manifest }) => String(manifest.input.seed)],
  ['forked of', ({ manifest }) => forkText(manifest) ?? ''],
  ['questions ended', ({ manifest, ended }) => `${count(ended)} of ${count(manifest.questions)}`],
];

function scores(metrics: readonly ShownMetric[]): Row[] {
  return metrics.flatMap(({ metric, title, isHeadline }): Row[] => {
    const mean = (basis: 'all' | 'withoutFailed' | 'answered') => (run: RunFigures) => {
      const { questions } = run.manifest;
      const isOver = run.ended >= questions;
      return meanText(
        metricFigures(run, metric)?.[basis],
        basis === 'all' || !isOver ? questions : 0,
      );
    };
    return [
      [title, mean('all')],
      ...(isHeadline
        ? ([
            ['  failed left out', mean('withoutFailed')],
            ['  answered only', mean('answered')],
          ] satisfies Row[])
        : []),
    ];
  });
}

/** Returns a mean with its interval, and of how many questions it is if they are fewer than `of`. */
function meanText(mean: MeanScore | undefined, of: number): string {
  if (!mean) return '';
  return `${percent(mean.mean)} (${percent(mean.low)} to ${percent(mean.high)}${overFewer(mean.questions, of)})`;
}

function differenceText(comparison: RunComparison, nameOf: (run: number) => string): string {
  const { first, second, title, rightOnly, questions } = comparison;
  const only = rightOnly
    ? [
        `${count(rightOnly.first)} right in ${nameOf(first)} only`,
        `${count(rightOnly.second)} in ${nameOf(second)} only`,
      ]
    : [];
  return [
    `${nameOf(first)} less ${nameOf(second)}, ${title}: ${intervalText(comparison)}`,
    `p ${pValue(comparison.p)}`,
    ...(comparison.corrected === null ? [] : [`corrected ${pValue(comparison.corrected)}`]),
    ...only,
    plural(questions, 'question'),
    findingText(comparison, nameOf),
  ].join(', ');
}

/** What is read from a comparison, in words. */
export function findingText(
  { finding, first, second, difference }: RunComparison,
  nameOf: (run: number) => string,
): string {
  const texts: Record<Finding, string> = {
    differs: `${nameOf(difference.mean > 0 ? first : second)} is better`,
    noDifference: 'no difference shown',
    withinNoise: 'no more than the same experiment twice differs by',
    tooFew: 'too few questions of its kind to tell',
    notTested: 'not tested, since it is the main metric of no question',
  };
  return texts[finding];
}

function controlText(control: RunControl, nameOf: (run: number) => string): string {
  const { first, second, title, churn, questions } = control;
  return (
    `${nameOf(first)} less ${nameOf(second)}, ${title}: ` +
    `${intervalText(control)}, ${percent(churn)} % of ${count(questions)} questions changed`
  );
}

function intervalText({ difference, level }: RunComparison | RunControl): string {
  return `${points(difference.mean)} (${rangeText(difference, level)})`;
}

/** "−1.0 to +4.2 at 97.5 %" */
export function rangeText({ low, high }: Interval, level: number): string {
  return `${points(low)} to ${points(high)} at ${Number((100 * (1 - level)).toFixed(2))} %`;
}

function paragraph(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[title, ...lines.map((line) => `  ${line}`)].join('\n')];
}

/** Returns rows as lines, in columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
