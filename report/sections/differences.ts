/** What cells differ by from the baseline, and what forks changed. Pure. */
import type { RunComparison } from '../../evaluation/runs/compare.js';
import { DIFFERENCES, findingText, rangeText } from '../../evaluation/runs/comparison-text.js';
import type { RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import { forkAccountText } from '../../evaluation/runs/fork-text.js';
import { count, plural, points, pValue } from '../../evaluation/runs/numbers.js';
import { forestPlot } from '../charts/forest.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import { cellLabel, figure, rowTable } from './parts.js';

/** The differences from the baseline that were meant, as one picture. */
export function forestOf({ cells, comparisons, main }: ShownData): Markup | undefined {
  const meant = comparisons.filter(({ metric }) => metric === main?.metric);
  if (meant.length === 0 || !main) return undefined;
  const baselines = [...new Set(meant.map(({ second }) => second))];
  const nameOf = namesIn(cells);
  const numberOf = (position: number) => cells.find(({ at }) => at === position)?.number;
  const lines = meant.map((comparison) => {
    const { first, second, difference, finding } = comparison;
    const than = baselines.length === 1 ? '' : ` less ${numberOf(second)}`;
    return {
      name: `${numberOf(first)} ${nameOf(first)}`,
      than,
      colour: cells.find(({ at }) => at === first)?.colour ?? '',
      difference,
      finding: findingText(comparison, nameOf),
      isFound: finding === 'differs',
    };
  });
  const against =
    baselines.length === 1 ? `less ${nameOf(baselines[0] ?? 0)}` : 'less the baseline';
  return forestPlot(lines, `${main.title}, points, ${against}`);
}

/** All that was compared, with what the tests say. */
export function differenceTable({ id, cells, comparisons }: ShownData): Markup | undefined {
  if (comparisons.length === 0) return undefined;
  const nameOf = namesIn(cells);
  return rowTable<RunComparison>(
    `differences-${id}`,
    { title: 'Cells', cell: (comparison) => pairLabel(cells, comparison) },
    [
      { title: 'Metric', cell: ({ title }) => title },
      {
        title: 'Difference, interval',
        cell: ({ difference, level }) =>
          html`<b>${points(difference.mean)}</b> <small>${rangeText(difference, level)}</small>`,
      },
      { title: 'p', isNumber: true, cell: ({ p }) => pValue(p) },
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
        title: 'Finding',
        cell: (comparison) => {
          const text = findingText(comparison, nameOf);
          return comparison.finding === 'differs' ? html`<strong>${text}</strong>` : text;
        },
      },
    ],
    comparisons,
  );
}

export const DIFFERENCE_LEAD = `${DIFFERENCES}. Corrected together, by Holm, are the main metrics of the kinds of question in a data set of which there are 20 or more.`;

/** What each fork took, beside the run that it is forked of. */
export function forkSection({ runs, forks }: RunsEvaluation): Markup | undefined {
  const nameOf = (position: number) => runs[position]?.manifest.run ?? '';
  return figure(
    'forks',
    'Forks',
    'What each fork took beside the run that it is forked of, and how many answers its change made others.',
    forks.length === 0
      ? undefined
      : html`${forks.map(
          (account) =>
            html`<ul>${forkAccountText(account, nameOf).map((line) => html`<li>${line}</li>`)}</ul>`,
        )}`,
  );
}

function pairLabel(cells: readonly ShownCell[], { first, second }: RunComparison): Markup {
  const label = (position: number) => {
    const cell = cells.find(({ at }) => at === position);
    return cell && cellLabel(cell);
  };
  return html`${label(first)} <span class="note">less</span> ${label(second)}`;
}

function namesIn(cells: readonly ShownCell[]) {
  return (position: number) => cells.find(({ at }) => at === position)?.label ?? '';
}
