/** Renders runs side by side as plain text, for the terminal. Pure. */
import { groupedBy } from '../../core/grouped-by.js';
import {
  decisionWords,
  differenceWords,
  type PairNames,
  testWords,
} from '../comparisons/decision-words.js';
import { sliceText } from '../comparisons/question-groups.js';
import type { MeanScore } from '../score-summary.js';
import { fittedTable, wrapped } from './columns.js';
import type { RunComparison, RunControl } from './compare.js';
import { EFFORT_ROWS, OUTCOME_ROWS, type Row, UNKNOWN_FIGURE } from './effort-rows.js';
import type { RunsEvaluation } from './evaluate-runs.js';
import { forkAccountText, forkText } from './fork-text.js';
import { type ShownMetric, shownInOrder } from './metrics.js';
import { count, overFewer, percent, plural, pValue, scoreText } from './number-text.js';
import { metricFigures, type RunFigures } from './run-figures.js';
import { cellNames, methodText, modelsText, shortNamesIn } from './run-labels.js';
import { unscoredTexts } from './unscored-text.js';

/** Returns the heading of a list of comparisons, which names the unit of their differences. */
export function differencesLead(comparisons: readonly Pick<RunComparison, 'range'>[]): string {
  const numbers = comparisons.some(({ range }) => range) ? ', or in the unit of the metric' : '';
  return `Differences are in percentage points${numbers}, each run minus its baseline. A question without an answer counts as wrong`;
}

/**
 * Returns the figures of evaluated runs as plain text: a table with one column for each run, then
 * their differences and notes.
 *
 * @param width Maximum number of characters of a line. @default 80
 */
export function comparisonText(evaluation: RunsEvaluation, width = 80): string {
  const { runs, metrics, cells, comparisons, controls, slices, forks, notes } = evaluation;
  const unscored = runs.flatMap(({ manifest, unscored }) =>
    unscoredTexts(unscored, manifest.metrics).map((text) => `${manifest.run}, ${text}`),
  );
  const rows = [...standing, ...scores(metrics), ...OUTCOME_ROWS, ...EFFORT_ROWS].map(
    ([title, cell]) => [title, ...runs.map(cell)],
  );
  const names = runs.map(({ manifest }) => manifest.run);
  const nameOf = (position: number) => names[position] ?? '';
  const test = testWords(comparisons);
  const filled = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  const paragraphs = [
    ...paragraph(
      `${differencesLead(comparisons)}. ${test ?? ''}`.trim(),
      comparisonLines(comparisons, cells),
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
  ];
  return [
    fittedTable([['', ...names], ...filled], width),
    ...(slices.length > 0 ? [fittedTable([['', ...names], ...sliceRows(slices)], width)] : []),
    ...paragraphs.map((lines) => lines.flatMap((line) => wrapped(line, width)).join('\n')),
  ].join('\n\n');
}

const standing: Row[] = [
  ['method', ({ manifest }) => methodText(manifest)],
  ['data set', ({ manifest }) => manifest.dataset.file],
  ['model', ({ manifest }) => modelsText(manifest.models)],
  ['seed', ({ manifest }) => (manifest.predictions ? UNKNOWN_FIGURE : String(manifest.input.seed))],
  ['forked of', ({ manifest }) => forkText(manifest) ?? ''],
  ['questions ended', ({ manifest, ended }) => `${count(ended)} of ${count(manifest.questions)}`],
];

function scores(metrics: readonly ShownMetric[]): Row[] {
  return metrics.flatMap(({ metric, title, isHeadline }): Row[] => {
    const mean = (basis: 'all' | 'withoutFailed' | 'answered') => (run: RunFigures) => {
      const { questions } = run.manifest;
      const isOver = run.ended >= questions;
      const figures = metricFigures(run, metric);
      return meanText(figures?.[basis], figures, basis === 'all' || !isOver ? questions : 0);
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

/** Returns a mean with its interval, and its number of questions if they are fewer than `of`. */
function meanText(
  mean: MeanScore | undefined,
  metric: Pick<ShownMetric, 'range'> | undefined,
  of: number,
): string {
  if (!mean || !metric) return '';
  const [middle, low, high] = [mean.mean, mean.low, mean.high].map((one) => scoreText(one, metric));
  return `${middle} (${low} to ${high}${overFewer(mean.questions, of)})`;
}

/** Returns one row for each slice and headline metric. */
function sliceRows(slices: RunsEvaluation['slices']): string[][] {
  return slices.flatMap(({ title, runs }) => {
    const headlines = shownInOrder(runs.flatMap(({ metrics }) => metrics)).filter(
      ({ isHeadline }) => isHeadline,
    );
    return headlines.map(({ metric, title: name }) => [
      `${title}, ${name}`,
      ...runs.map(({ metrics }) => {
        const found = metrics.find((one) => one.metric === metric);
        return found ? `${meanText(found.mean, found, 0)}, n=${found.mean.questions}` : '';
      }),
    ]);
  });
}

/**
 * Returns one line for each comparison. Comparisons of the same data set and model are under a
 * heading if the cells differ in these.
 */
function comparisonLines(
  comparisons: readonly RunComparison[],
  cells: RunsEvaluation['cells'],
): string[] {
  const names = cellNames(cells);
  const named = comparisons.map((one) => ({ one, ...shortNamesIn(names, one) }));
  return [...groupedBy(named, ({ shared }) => shared)].flatMap(([shared, alike]) => {
    const lines = alike.map(({ one, ...called }) => comparisonLine(one, called));
    return shared === '' ? lines : [`${shared}:`, ...lines.map((line) => `  ${line}`)];
  });
}

function comparisonLine(comparison: RunComparison, names: PairNames): string {
  const { title, p, corrected, rightOnly, questions, slice } = comparison;
  const where = slice ? `${sliceText(slice.field, slice.value)}: ` : '';
  const { first, second } = names;
  return [
    `${where}${first} minus ${second}, ${title}: ${differenceWords(comparison)}`,
    ...(p === null ? [] : [`p ${pValue(p)}`]),
    ...(corrected === null ? [] : [`corrected ${pValue(corrected)}`]),
    ...(rightOnly ? [`${count(rightOnly.first)} right in ${first} only`] : []),
    ...(rightOnly ? [`${count(rightOnly.second)} in ${second} only`] : []),
    plural(questions, 'question'),
    decisionWords(comparison, names),
  ].join(', ');
}

function controlText(control: RunControl, nameOf: (run: number) => string): string {
  const { first, second, title, churn, questions } = control;
  return (
    `${nameOf(first)} minus ${nameOf(second)}, ${title}: ` +
    `${differenceWords(control)}, ${percent(churn)} % of ${count(questions)} questions changed`
  );
}

function paragraph(title: string, lines: readonly string[]): string[][] {
  return lines.length === 0 ? [] : [[title, ...lines.map((line) => `  ${line}`)]];
}
