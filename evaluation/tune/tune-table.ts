/** The table of a tune's results: one row for each candidate, the start first. Pure. */
import { dollars } from '../../core/dollars.js';
import type { Tune } from '../../core/tune/tune.js';
import { table as columnsOf } from '../runs/columns.js';
import { count, percent, plural, points } from '../runs/number-text.js';
import type { Interval } from '../statistics/score-interval.js';
import { cellOf } from '../study/gate-summaries.js';
import {
  csvLine,
  latexGrid,
  latexLine,
  latexText,
  markdownGrid,
  type TableFormat,
} from '../study/render-table.js';
import type { FinalistResult } from './confirm.js';
import { paidBackAfter } from './power.js';
import type { Figures } from './search.js';

/** Whether a candidate was shown to reach the goal; "not confirmed" if it was not a finalist. */
type TuneDecision = 'shown' | 'not shown' | 'not confirmed';

/** A row in the table of a tune: the start or a candidate. */
export interface TuneRow {
  /** "start", or the changes of the candidate. */
  candidate: string;
  /**
   * Number of questions of half A that it was asked; fewer than all if it left the search early.
   */
  questionsA: number;
  /**
   * Mean score on them; null without any. Candidates were chosen by it, so it is biased upwards.
   */
  scoreA: number | null;
  /** Mean score on half B; null if it was not a finalist. */
  scoreB: number | null;
  /**
   * Score minus the start's on half B, with the interval at the level of the test; null if it was
   * not a finalist.
   */
  differenceB: Interval | null;
  /** One-sided p-value, corrected over the finalists; null if it was not a finalist. */
  corrected: number | null;
  /**
   * Cost of a question in US dollars, without savings by caches or forks; null if a price is
   * unknown.
   */
  usd: number | null;
  /** Saved share of the start's cost; null if one of them is unknown. */
  saved: number | null;
  /** Result of the test; null for the start. */
  decision: TuneDecision | null;
  /**
   * Whether no other row has a score as high at a lower cost, or a higher score at no higher cost.
   */
  isFrontier: boolean;
}

/** The table of a tune, ready to be rendered. */
export interface TuneTable {
  tune: string;
  goal: Tune['goal'];
  margin: number | null;
  metric: string;
  rows: TuneRow[];
  /** The outcome in one sentence. */
  said: string;
  /** Prompts that were written for the tune; undefined if none were requested. */
  proposed?: ProposedPrompts;
}

/** The prompts that a model or an activity has written for a tune. */
export interface ProposedPrompts {
  written: { candidate: string; by: string; round: number }[];
  /** Prompts that could not be used, with the reason. */
  refused: readonly { step: string; by: string; problem: string }[];
}

/** A pipeline of a tune with its figures: the start or a candidate. */
export interface TunedPipeline {
  label: string;
  questions: number;
  /** Figures on half A. */
  onA: Figures;
  /** Figures on half B; undefined if it was not a finalist. */
  onB?: Figures | undefined;
  shown?: FinalistResult | undefined;
}

/**
 * Returns the table of a tune.
 *
 * @param start The pipeline that the candidates change.
 */
export function tuneTable(
  { name, goal, margin: given }: Pick<Tune, 'goal' | 'margin' | 'name'>,
  metric: string,
  start: TunedPipeline,
  candidates: readonly TunedPipeline[],
  proposed?: ProposedPrompts,
): TuneTable {
  const margin = given ?? null;
  const all = [start, ...candidates];
  const usdOf = ({ onA, onB }: TunedPipeline) => onB?.usd ?? onA.usd;
  const before: number | null = usdOf(start);
  const rows = all.map((one): TuneRow => {
    const usd = usdOf(one);
    const { shown } = one;
    return {
      candidate: one.label,
      questionsA: one.questions,
      scoreA: one.questions === 0 ? null : one.onA.mean,
      scoreB: one.onB?.mean ?? null,
      differenceB: shown?.difference ?? null,
      corrected: shown?.corrected ?? null,
      usd,
      saved: one === start || !before || usd === null ? null : 1 - usd / before,
      decision:
        one === start ? null : !shown ? 'not confirmed' : shown.isShown ? 'shown' : 'not shown',
      isFrontier: !all.some((other) => isBelow(one, other)),
    };
  });
  const said = saidOf({ goal, margin }, rows);
  return { tune: name, goal, margin, metric, rows, said, ...(proposed && { proposed }) };

  /** Tells whether `other` is better and no dearer, or cheaper and no worse. */
  function isBelow(one: TunedPipeline, other: TunedPipeline): boolean {
    const [mine, theirs] = [usdOf(one) ?? Infinity, usdOf(other) ?? Infinity];
    const better =
      one.onB && other.onB ? other.onB.mean - one.onB.mean : other.onA.mean - one.onA.mean;
    return better >= 0 && theirs <= mine && (better > 0 || theirs < mine);
  }
}

function saidOf(
  { goal, margin }: { goal: Tune['goal']; margin: number | null },
  rows: readonly TuneRow[],
) {
  const shown = rows.filter(({ decision }) => decision === 'shown');
  const finalists = rows.filter(({ decision }) => decision === 'shown' || decision === 'not shown');
  if (shown.length > 0) {
    const what = goal === 'better' ? 'better' : `cheaper, losing less than ${margin} points`;
    return `Half B shows ${shown.map(({ candidate }) => `"${candidate}"`).join(', ')} to be ${what}.`;
  }
  if (finalists.length === 0) {
    const why =
      goal === 'better'
        ? 'no change was better on half A'
        : rows.every(({ usd }) => !usd)
          ? 'no price is known, so nothing can be shown to be cheaper'
          : 'no change was cheaper on half A within the margin';
    return `Nothing was confirmed: ${why}.`;
  }
  const most = Math.max(...finalists.map(({ differenceB }) => differenceB?.high ?? 0));
  return `Nothing was confirmed. The largest gain of a finalist that is still possible is ${points(most)} points.`;
}

/** Returns the best row that was shown to reach the goal; undefined if there is none. */
export function winnerOf({ goal, rows }: TuneTable): TuneRow | undefined {
  const by = (row: TuneRow) =>
    goal === 'better' ? -(row.differenceB?.mean ?? 0) : (row.usd ?? Infinity);
  return rows.filter(({ decision }) => decision === 'shown').toSorted((a, b) => by(a) - by(b))[0];
}

/** Number of columns that name a row. */
const NAMES = 1;

/** Titles of the columns. */
export const TUNE_COLUMNS = [
  'candidate',
  'half A',
  'half B',
  'more than the start',
  'a question',
  'saved',
  'decision',
];

/** Returns the table in a format, ending with a line break. */
export function renderTune(table: TuneTable, format: TableFormat): string {
  if (format === 'json') return `${JSON.stringify(table, null, 2)}\n`;
  if (format === 'csv') return csvOf(table);
  const cells = [TUNE_COLUMNS, ...table.rows.map((row) => tuneCells(row, table.rows[0]))];
  if (format === 'text') return `${columnsOf(cells)}\n\n${tuneNotes(table).join('\n')}\n`;
  if (format === 'markdown') {
    const lines = markdownGrid(
      cells.map((row) => row.map(cellOf)),
      NAMES,
    );
    return `${[...lines, '', ...tuneNotes(table)].join('\n')}\n`;
  }
  const [heading = '', ...rows] = cells.map((row) => latexLine(row.map(latexText)));
  return latexGrid({
    names: NAMES,
    columns: TUNE_COLUMNS.length - NAMES,
    heading: [heading],
    rows,
    caption: `${table.tune}. ${tuneNotes(table).join(' ')}`,
    label: table.tune,
  });
}

/** Returns the cells of a row, in the order of the columns. */
export function tuneCells(row: TuneRow, start: TuneRow | undefined): string[] {
  const { differenceB: more } = row;
  const some = row.questionsA < (start?.questionsA ?? 0) ? ` of ${count(row.questionsA)}` : '';
  return [
    `${row.isFrontier ? '* ' : '  '}${row.candidate}`,
    row.scoreA === null ? '' : `${percent(row.scoreA)}${some}`,
    row.scoreB === null ? '' : percent(row.scoreB),
    more ? `${points(more.mean)} (${points(more.low)} to ${points(more.high)})` : '',
    row.usd === null ? 'unknown' : dollars(row.usd),
    row.saved === null ? '' : `${percent(row.saved)} %`,
    row.decision ?? '',
  ];
}

/** Returns the outcome in one sentence, and notes that explain the figures. */
export function tuneNotes({ metric, said, proposed }: TuneTable): string[] {
  return [
    said,
    ...(proposed ? [proposedText(proposed)] : []),
    `${metric}, in per cent. Candidates were chosen by half A, so only half B shows how good they are. "of N": asked only the first N questions of half A.`,
    'The interval is at the level of the one-sided test, corrected by Holm over the finalists. The cost of a question is without savings by caches. *: no other is both better and cheaper.',
  ];
}

/** Returns a sentence about the authors of the prompts, and why others were refused. */
function proposedText({ written, refused }: ProposedPrompts): string {
  const by = [...new Set([...written, ...refused].map((one) => one.by))].join(', ');
  const problems = [...new Set(refused.map(({ step, problem }) => `${step}: ${problem}`))];
  const dropped =
    refused.length === 0
      ? ''
      : ` ${plural(refused.length, 'other was', 'others were')} dropped (${problems.join('; ')}).`;
  if (by === '') return 'No prompt was written: no wrong answer could be traced to a step.';
  if (written.length === 0) return `No prompt of ${by} could be tried.${dropped}`;
  return `${plural(written.length, 'prompt was', 'prompts were')} written by ${by}.${dropped}`;
}

const CSV_FIELDS = [
  'candidate',
  'questionsA',
  'scoreA',
  'scoreB',
  'difference',
  'low',
  'high',
  'corrected',
  'usd',
  'saved',
  'decision',
  'isFrontier',
] as const;

function csvOf({ rows }: TuneTable): string {
  const lines = rows.map(({ differenceB, ...row }) => {
    const all = { ...row, ...differenceB, difference: differenceB?.mean };
    return csvLine(CSV_FIELDS.map((field) => all[field]));
  });
  return `${CSV_FIELDS.join(',')}\n${lines.join('')}`;
}

/**
 * Returns a sentence about the number of questions after which the tune has paid for itself;
 * undefined if
 * nothing is saved, or a price is unknown.
 */
export function paidBackText(
  { rows: [start] }: TuneTable,
  winner: TuneRow,
  spentUsd: number | null,
): string | undefined {
  const after = paidBackAfter(spentUsd, start?.usd ?? null, winner.usd);
  if (after === null || spentUsd === null) return undefined;
  return `The tune cost ${dollars(spentUsd)}: it has paid for itself after ${plural(after, 'question')}.`;
}
