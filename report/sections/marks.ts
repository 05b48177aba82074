/** People's verdicts on answers, and the metrics that differ. Pure. */
import type { ShownMark } from '../../evaluation/runs/marked.js';
import { count, plural } from '../../evaluation/runs/number-text.js';
import { html, type Markup } from '../html.js';
import type { IndexRow, IndexRun } from '../page-data.js';
import { rowTable, titledSection } from './figure-parts.js';

/**
 * A person's verdict on one run's answer, with the row of its question and the position of the
 * run.
 */
export interface MarkedAnswer {
  row: IndexRow;
  /** Position of the run. */
  run: number;
  mark: ShownMark;
}

/**
 * Returns, as `Markup`, a section with a table of people's verdicts, those that most metrics
 * contradict first; undefined if there are none.
 */
export function markSection(
  marked: readonly MarkedAnswer[],
  runs: readonly IndexRun[],
): Markup | undefined {
  if (marked.length === 0) return undefined;
  const sorted = [...marked].sort((a, b) => b.mark.against.length - a.mark.against.length);
  const split = marked.filter(({ mark }) => mark.against.length > 0).length;
  return titledSection(
    'marks',
    'Marks',
    `${plural(marked.length, 'answer')} marked by a person; a metric contradicts ${count(split)}.`,
    rowTable<MarkedAnswer>(
      'marks',
      {
        title: 'Question',
        cell: ({ row }) => html`<a href="#q=${encodeURIComponent(row.key)}">${row.question}</a>`,
      },
      [
        { title: 'Run', cell: ({ run }) => runs[run]?.name ?? '' },
        { title: 'Answer', cell: ({ row, run }) => row.runs[run]?.answer ?? '' },
        { title: 'Mark', cell: ({ mark }) => mark.says ?? '' },
        { title: 'Contradicted by', cell: ({ mark }) => mark.against.join(', ') },
        { title: 'Note', cell: ({ mark }) => mark.note },
      ],
      sorted,
    ),
  );
}
