/** Renders the differences of cells from the baseline, and the changes by forks. Pure. */
import { shortened } from '../../core/shortened.js';
import {
  decisionWords,
  isDifferenceShown,
  type PairNames,
  rangeText,
  testWords,
} from '../../evaluation/comparisons/decision-words.js';
import { sliceText } from '../../evaluation/comparisons/question-groups.js';
import type { RunComparison } from '../../evaluation/runs/compare.js';
import { differencesLead } from '../../evaluation/runs/comparison-text.js';
import type { RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import { forkAccountText } from '../../evaluation/runs/fork-text.js';
import { count, differenceText, plural, pValue } from '../../evaluation/runs/number-text.js';
import { forestPlot } from '../charts/forest.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import { cellLabel, rowTable, titledSection } from './figure-parts.js';

/** Characters of a slice or a metric that fit into a line of the chart. */
const MOST_OF_PART = 12;

/**
 * Returns the differences from the baseline as an SVG forest plot (`Markup`), in percentage
 * points; those of metrics that have another unit are left out. Undefined if there are none.
 */
export function forestOf({ cells, comparisons: all }: ShownData): Markup | undefined {
  // Differences that are not in points appear only in the table.
  const comparisons = all.filter(({ range }) => range === undefined);
  if (comparisons.length === 0) return undefined;
  const shownOf = shownIn(cells);
  const baselines = new Set(comparisons.map(({ pair }) => pair.second));
  const metrics = [...new Set(comparisons.map(({ title }) => title))];
  const lines = comparisons.map((comparison) => {
    const { difference, title, slice } = comparison;
    const { first, second } = shownOf(comparison);
    const of = [
      ...(slice ? [slice.value || sliceText(slice.field, slice.value)] : []),
      ...(metrics.length === 1 ? [] : [title]),
    ];
    const less = baselines.size === 1 ? '' : ` minus ${second?.number}`;
    return {
      name: `${first?.number} ${first?.label}`,
      than: `${less}${of.map((part) => `, ${shortened(part, MOST_OF_PART)}`).join('')}`,
      colour: first?.colour ?? '',
      difference,
      finding: decisionWords(comparison, namesOf(comparison, cells)),
      isFound: isDifferenceShown(comparison),
    };
  });
  const [only] = comparisons;
  const against =
    baselines.size === 1 && only ? `minus ${shownOf(only).second?.label}` : 'minus the baseline';
  return forestPlot(lines, `${metrics.join(', ')}, points, ${against}`);
}

/**
 * Returns an HTML table, as `Markup`, of the comparisons of a data set, with intervals, p values
 * and decisions; undefined if there are none.
 */
export function differenceTable({ id, cells, comparisons }: ShownData): Markup | undefined {
  if (comparisons.length === 0) return undefined;
  return rowTable<RunComparison>(
    `differences-${id}`,
    { title: 'Cells', cell: (comparison) => pairLabel(cells, comparison) },
    [
      { title: 'Metric', cell: ({ title }) => title },
      {
        title: 'Difference, interval',
        cell: ({ difference, level, range }) =>
          html`<b>${differenceText(difference.mean, { range })}</b> <small>${rangeText(difference, level, range)}</small>`,
      },
      { title: 'p', isNumber: true, cell: ({ p }) => (p === null ? '' : pValue(p)) },
      {
        title: 'corrected',
        isNumber: true,
        cell: ({ corrected }) => (corrected === null ? '' : pValue(corrected)),
      },
      {
        title: 'Right in one only',
        cell: ({ rightOnly, questions }) =>
          rightOnly
            ? `${count(rightOnly.first)} against ${count(rightOnly.second)}`
            : `graded, ${plural(questions, 'question')}`,
      },
      {
        title: 'Decision',
        cell: (comparison) => {
          const text = decisionWords(comparison, namesOf(comparison, cells));
          return isDifferenceShown(comparison) ? html`<strong>${text}</strong>` : text;
        },
      },
    ],
    comparisons,
  );
}

/**
 * Returns the text above a report's table of differences between cells; it names the test, if
 * there is one.
 */
export function differenceLead({ comparisons }: ShownData): string {
  return [`${differencesLead(comparisons)}.`, testWords(comparisons) ?? ''].join(' ').trim();
}

/**
 * Returns, as `Markup`, the section that compares each fork with its parent run: its usage, and
 * the number of answers that changed. Undefined if there are no forks.
 */
export function forkSection({ runs, forks }: RunsEvaluation): Markup | undefined {
  const nameOf = (position: number) => runs[position]?.manifest.run ?? '';
  return titledSection(
    'forks',
    'Forks',
    'The usage of each fork compared with its parent run, and the number of answers that changed.',
    forks.length === 0
      ? undefined
      : html`${forks.map(
          (account) =>
            html`<ul>${forkAccountText(account, nameOf).map((line) => html`<li>${line}</li>`)}</ul>`,
        )}`,
  );
}

function pairLabel(cells: readonly ShownCell[], comparison: RunComparison): Markup {
  const { first, second } = shownIn(cells)(comparison);
  const { slice } = comparison;
  const where = slice ? `${sliceText(slice.field, slice.value)}: ` : '';
  return html`${where}${first && cellLabel(first)} <span class="note">minus</span> ${second && cellLabel(second)}`;
}

function shownIn(cells: readonly ShownCell[]) {
  const shown = new Map(cells.map((one) => [one.cell, one]));
  return ({ pair }: RunComparison) => ({
    first: shown.get(pair.first),
    second: shown.get(pair.second),
  });
}

function namesOf(comparison: RunComparison, cells: readonly ShownCell[]): PairNames {
  const { first, second } = shownIn(cells)(comparison);
  return { first: first?.label ?? '', second: second?.label ?? '' };
}
