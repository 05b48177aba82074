/** How questions ended, and the failures. Pure. */

import type { FailureCount } from '../../core/run/failure-counts.js';
import { OUTCOME_ROWS } from '../../evaluation/runs/effort-rows.js';
import { count, plural } from '../../evaluation/runs/number-text.js';
import { QUESTION_STATES } from '../../evaluation/runs/question-state.js';
import type { RunFigures } from '../../evaluation/runs/run-figures.js';
import type { ShownCell, ShownData } from '../data-sets.js';
import { html, type Markup } from '../html.js';
import {
  type Column,
  cellTable,
  columnsFromRows,
  rowTable,
  titledSection,
} from './figure-parts.js';

/** Text above the table of outcomes. */
export const OUTCOME_LEAD =
  'An answer is right if its accuracy, EM or STR hit is 1. If its metric is graded, it is right if its score is at least one half. The reject rate is the share of questions answered “unknown”, without the failed ones.';

/**
 * Returns an HTML table, as `Markup`, of how the questions of each cell ended: a bar of the
 * shares, the number in each state, and the reject rate in per cent.
 */
export function outcomeTable(data: ShownData): Markup {
  const bar: Column<ShownCell> = { title: '', cell: ({ figures }) => outcomeBar(figures) };
  return cellTable('outcomes', data, [bar, ...columnsFromRows(OUTCOME_ROWS)]);
}

function outcomeBar({ states, ended }: RunFigures): Markup {
  let from = 0;
  const parts = QUESTION_STATES.map((state) => {
    const width = ended === 0 ? 0 : (100 * states[state]) / ended;
    const part = html`<rect class="state ${state}" x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" height="100%"/>`;
    from += width;
    return part;
  });
  return html`<svg class="stack" width="100%" height="14" aria-hidden="true">${parts}</svg>`;
}

/**
 * Returns an HTML table, as `Markup`, with the number of flagged questions by kind, one row for
 * each cell with flags; undefined if there are none.
 */
export function flagTable({ id, cells }: ShownData): Markup | undefined {
  const flagged = cells.filter(({ figures }) => Object.keys(figures.flags).length > 0);
  if (flagged.length === 0) return undefined;
  const questions: Column<ShownCell> = {
    title: 'Questions',
    cell: ({ figures }) =>
      Object.entries<number>(figures.flags as Record<string, number>)
        .sort(([, a], [, b]) => b - a)
        .map(([kind, questions]) => `${kind} ${count(questions)}`)
        .join(', '),
  };
  return cellTable('flags', { id, cells: flagged }, [questions]);
}

/** The failures of one kind in one step, over all cells. */
interface FailureKind extends FailureCount {
  cells: { cell: ShownCell; questions: number }[];
}

/** Number of cells that are named for a kind of failure. */
const NAMED = 4;

/**
 * Returns, as `Markup`, a section with a table of the failures of all data sets by kind and step,
 * most frequent first; undefined if there are none.
 */
export function failureSection(data: readonly ShownData[]): Markup | undefined {
  const kinds = new Map<string, FailureKind>();
  for (const cell of data.flatMap(({ cells }) => cells)) {
    for (const failure of cell.figures.failures) {
      const key = JSON.stringify([failure.type, failure.step]);
      const kind = kinds.get(key) ?? { ...failure, questions: 0, cells: [] };
      kind.questions += failure.questions;
      kind.cells.push({ cell, questions: failure.questions });
      kinds.set(key, kind);
    }
  }
  if (kinds.size === 0) return undefined;
  const sorted = [...kinds.values()].sort((a, b) => b.questions - a.questions);
  return titledSection(
    'failures',
    'Failures by kind',
    'Questions, and the message of the first one. The command “retry” asks them again.',
    rowTable<FailureKind>(
      'failures',
      {
        title: 'Kind',
        cell: ({ type, step }) => html`${type}<br><small>${step ?? 'outside of a step'}</small>`,
      },
      [
        { title: 'Questions', isNumber: true, cell: ({ questions }) => count(questions) },
        { title: 'Cells', cell: ({ cells }) => cellsText(cells) },
        {
          title: 'First example',
          cell: ({ example }) => html`<span class="note">${example}</span>`,
        },
      ],
      sorted,
    ),
  );
}

function cellsText(cells: FailureKind['cells']): string {
  const most = [...cells].sort((a, b) => b.questions - a.questions);
  const named = most
    .slice(0, NAMED)
    .map(({ cell, questions }) => `${cell.label} ${count(questions)}`);
  const more = most.length - named.length;
  return [...named, ...(more > 0 ? [`${plural(more, 'more cell')}`] : [])].join(', ');
}
