/** What was measured of batches, in Markdown. Pure. */
import { figuresTable } from '../figures-table.js';
import type { Bytes, MeasuredBatch, Part } from './measure.js';

type Column = readonly [
  heading: string,
  text: (part: Part) => string,
  value?: (part: Part) => number,
];

const COLUMNS: readonly Column[] = [
  [
    'ms a question',
    ({ secondsPerQuestion: s }) => (s * 1000).toFixed(0),
    (p) => p.secondsPerQuestion,
  ],
  ['CPU ms, worker', ({ workerCpu }) => workerCpu.toFixed(0), ({ workerCpu }) => workerCpu],
  ['CPU ms, server', ({ serverCpu }) => serverCpu.toFixed(0), ({ serverCpu }) => serverCpu],
  ['RSS, worker', ({ rss }) => megabytes(rss), ({ rss }) => rss],
  ['heap, worker', ({ heapUsed }) => megabytes(heapUsed), ({ heapUsed }) => heapUsed],
  ['KB a question, Temporal', ({ added }) => kilobytes(added.temporal)],
  ['KB, response store', ({ added }) => kilobytes(added.store)],
  ['KB, results', ({ added }) => kilobytes(added.results)],
];

/** A batch tenth by tenth, with the last tenth over the second: the first one warms up. */
export function tenths({ parts, histories, total, plan }: MeasuredBatch): string {
  const [, early] = parts;
  const late = parts.at(-1);
  const ratio = (value: Column[2]) =>
    value && early && late ? (value(late) / value(early)).toFixed(2) : '';
  const { batches, largestBatch, largestQuestion } = histories;
  return [
    figuresTable([
      ['questions', ...COLUMNS.map(([heading]) => heading)],
      ...parts.map((part) => [
        part.done.toLocaleString('en-US'),
        ...COLUMNS.map(([, text]) => text(part)),
      ]),
      ['last over second', ...COLUMNS.map(([, , value]) => ratio(value))],
      ['all', '', '', '', '', '', ...sizes(total, plan.questions)],
    ]),
    '',
    figuresTable([
      ['largest history', 'events', 'size'],
      [
        `of the batch, which used ${batches}`,
        String(largestBatch.events),
        `${kilobytes(largestBatch.bytes)} KB`,
      ],
      ['of a question', String(largestQuestion.events), `${kilobytes(largestQuestion.bytes)} KB`],
    ]),
  ].join('\n');
}

function sizes({ temporal, store, results }: Bytes, questions: number): string[] {
  return [temporal, store, results].map((bytes) => kilobytes(bytes / questions));
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
