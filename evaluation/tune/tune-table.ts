/** The table of a tune's results, with one row for the start and one for each candidate. Pure. */
import { dollars } from '../../core/dollars.js';
import type { Tune } from '../../core/tune/tune.js';
import { table as columnsOf } from '../runs/columns.js';
import { count, percent, plural, points } from '../runs/number-text.js';
import type { Interval } from '../statistics/score-interval.js';
import { markdownCell } from '../study/gate-summaries.js';
import { latexGrid, latexLine, latexText } from '../study/latex.js';
import { csvLine, markdownGrid, type TableFormat } from '../study/render-table.js';
import type { FinalistResult } from './confirm.js';
import { paidBackAfter } from './power.js';
import type { MeanFigures } from './search.js';

/** Whether a candidate was shown to reach the goal; "not confirmed" if it was not a finalist. */
type TuneDecision = 'shown' | 'not shown' | 'not confirmed';

/**
 * A row in the table of a tune: the start or a candidate. Scores, differences and `saved` are
 * fractions.
 */
export interface TuneRow {
  /** "start", or the changes of the candidate. */
  candidate: string;
  /**
   * Number of questions of half A that it was asked; fewer than all if it left the search early.
   */
  questionsA: number;
  /**
   * Mean score on these questions; null if there are none. Candidates were chosen by it, so it is
   * biased upwards.
   */
  scoreA: number | null;
  /** Score minus the start's on the same questions of half A; null without any, and for the start. */
  differenceA: number | null;
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
  /** Saved fraction of the start's cost; null for the start, and if a cost is unknown. */
  saved: number | null;
  /** Result of the test; null for the start. */
  decision: TuneDecision | null;
  /**
   * Whether no other row has a score as high at a lower cost, or a higher score at no higher cost.
   * Only rows that were asked all of half A are compared.
   */
  isFrontier: boolean;
}

/**
 * The table of a tune as data to be rendered: the start and the candidates as rows, and the
 * conclusion.
 */
export interface TuneTable {
  tune: string;
  goal: Tune['goal'];
  /** Largest accepted loss in percentage points; null if the tune has none. */
  margin: number | null;
  /** Title of the compared metric. */
  metric: string;
  /** The start, then the candidates in the given order. */
  rows: TuneRow[];
  /** The conclusion in one or two sentences. */
  conclusion: string;
  /** Prompts that were written for the tune; undefined if none were requested. */
  proposed?: ProposedPrompts;
}

/**
 * The prompts that a model or an action has written for a tune and that were tried, and those that
 * could not be used, with the reason.
 */
export interface ProposedPrompts {
  /** The prompts that were tried, with their authors. */
  written: { candidate: string; by: string; round: number }[];
  /** Prompts that could not be used, with the reason. */
  refused: readonly { step: string; by: string; problem: string }[];
}

/**
 * The start or a candidate of a tune with its figures on both halves, from which its row is made.
 */
export interface TunedPipeline {
  /** "start", or the changes of the candidate. */
  label: string;
  /** Number of questions of half A that it was asked. */
  questions: number;
  /** Figures on half A. */
  onA: MeanFigures;
  /** Mean score of the start on the same questions of half A. */
  startOnA: number;
  /** Figures on half B; undefined if it was not a finalist. */
  onB?: MeanFigures | undefined;
  /** Result of the test on half B; undefined if it was not a finalist. */
  shown?: FinalistResult | undefined;
}

/**
 * Returns the table of a tune as data, to be rendered later: one row for the start and one for
 * each candidate, with its scores (0 to 1), its cost per question in US dollars and the decision,
 * and the conclusion in one or two sentences.
 */
export function tuneTable(
  { name, goal, margin: given }: Pick<Tune, 'goal' | 'margin' | 'name'>,
  metric: string,
  start: TunedPipeline,
  candidates: readonly TunedPipeline[],
  proposed?: ProposedPrompts,
): TuneTable {
  const margin = given ?? null;
  const before = usdOf(start);
  const rows = [start, ...candidates].map((one): TuneRow => {
    const usd = usdOf(one);
    const { shown } = one;
    const isAsked = one.questions > 0;
    return {
      candidate: one.label,
      questionsA: one.questions,
      scoreA: isAsked ? one.onA.mean : null,
      differenceA: isAsked && one !== start ? one.onA.mean - one.startOnA : null,
      scoreB: one.onB?.mean ?? null,
      differenceB: shown?.difference ?? null,
      corrected: shown?.corrected ?? null,
      usd,
      saved: one === start || !before || usd === null ? null : 1 - usd / before,
      decision:
        one === start ? null : !shown ? 'not confirmed' : shown.isShown ? 'shown' : 'not shown',
      isFrontier: false,
    };
  });
  const compared = rows.filter((row) => isComparable(row, rows[0]));
  for (const row of compared) row.isFrontier = !compared.some((other) => isBelow(row, other));
  const conclusion = conclusionOf({ goal, margin }, rows);
  return { tune: name, goal, margin, metric, rows, conclusion, ...(proposed && { proposed }) };
}

function usdOf({ onA, onB }: TunedPipeline): number | null {
  return onB?.usd ?? onA.usd;
}

/**
 * Returns whether a row's pipeline was asked as many questions of half A as the start, so that
 * their scores can be compared.
 */
export function isComparable(row: TuneRow, start: TuneRow | undefined): boolean {
  return row.questionsA === start?.questionsA;
}

/**
 * Returns the score of a row's pipeline minus the start's, from -1 to 1: on half B if it was asked
 * there, otherwise on half A; 0 for the start, and for a candidate that was asked nothing.
 */
export function gainOf({ differenceA, differenceB }: TuneRow): number {
  return differenceB?.mean ?? differenceA ?? 0;
}

/** Returns whether another pipeline is better and no dearer, or cheaper and no worse. */
function isBelow(row: TuneRow, other: TuneRow): boolean {
  const better = gainOf(other) - gainOf(row);
  const cheaper = (row.usd ?? Infinity) - (other.usd ?? Infinity) || 0;
  return better >= 0 && cheaper >= 0 && (better > 0 || cheaper > 0);
}

/** The goal of a tune, with the points that may be lost. */
type Aim = Pick<TuneTable, 'goal' | 'margin'>;

function conclusionOf({ goal, margin }: Aim, rows: readonly TuneRow[]): string {
  const [winner, ...others] = shownIn({ goal, rows });
  const finalists = rows.filter(({ differenceB }) => differenceB !== null);
  if (winner) {
    const { candidate, differenceB: more, saved } = winner;
    const isCheaper = `to be cheaper by ${percent(saved ?? 0)} %, losing less than ${margin} points`;
    const isBetter = `to be better, by ${more ? intervalText(more) : ''} points`;
    const also = others.map((one) => `"${one.candidate}"`).join(', ');
    return `Half B shows "${candidate}" ${goal === 'better' ? isBetter : isCheaper}.${also && ` Also shown: ${also}.`}`;
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
  const most = (end: 'low' | 'high') =>
    Math.max(...finalists.map(({ differenceB }) => differenceB?.[end] ?? 0));
  const why =
    goal === 'better'
      ? 'no finalist is shown to be better'
      : `no finalist is shown to lose less than ${margin} points; the best may lose ${percent(-most('low'))}`;
  const gain = most('high');
  const possible =
    gain > 0
      ? `The largest gain that is still possible is ${points(gain)} points.`
      : 'None can be better than the start.';
  return `Nothing was confirmed: ${why}. ${possible}`;
}

/**
 * Returns the best row that was shown to reach the goal: with the largest gain, or for the goal
 * "cheaper" with the lowest cost. Undefined if there is none.
 */
export function winnerOf(table: TuneTable): TuneRow | undefined {
  return shownIn(table)[0];
}

/** Returns the rows that were shown to reach the goal, the best one first. */
function shownIn({
  goal,
  rows,
}: Pick<TuneTable, 'goal'> & { rows: readonly TuneRow[] }): TuneRow[] {
  const by = (row: TuneRow) => (goal === 'better' ? -gainOf(row) : (row.usd ?? Infinity));
  return rows.filter(({ decision }) => decision === 'shown').toSorted((a, b) => by(a) - by(b));
}

/** Number of columns that name a row. */
const NAMES = 1;

/** Titles of the columns of a tune's table as text, Markdown and LaTeX. */
export const TUNE_COLUMNS = [
  'candidate',
  'half A',
  'half B',
  'difference',
  'a question',
  'saved',
  'decision',
];

/** Returns the table of a tune as text in a format, ending with a line feed. */
export function renderTune(table: TuneTable, format: TableFormat): string {
  if (format === 'json') return `${JSON.stringify(table, null, 2)}\n`;
  if (format === 'csv') return csvOf(table);
  const cells = [TUNE_COLUMNS, ...table.rows.map((row) => tuneCells(row, table.rows[0]))];
  if (format === 'text') return `${columnsOf(cells)}\n\n${tuneNotes(table).join('\n')}\n`;
  if (format === 'markdown') {
    const lines = markdownGrid(
      cells.map((row) => row.map(markdownCell)),
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

/**
 * Returns the cells of a row as text, one for each of `TUNE_COLUMNS`. An asterisk marks rows of the
 * frontier.
 */
export function tuneCells(row: TuneRow, start: TuneRow | undefined): string[] {
  const { differenceA, differenceB } = row;
  const gained = differenceA === null ? '' : ` (${points(differenceA)})`;
  const some = isComparable(row, start) ? '' : ` of ${count(row.questionsA)}`;
  return [
    `${row.isFrontier ? '* ' : '  '}${row.candidate}`,
    row.scoreA === null ? '' : `${percent(row.scoreA)}${gained}${some}`,
    row.scoreB === null ? '' : percent(row.scoreB),
    differenceB ? intervalText(differenceB) : '',
    row.usd === null ? 'unknown' : dollars(row.usd),
    row.saved === null ? '' : `${percent(row.saved)} %`,
    row.decision ?? '',
  ];
}

/** Returns a difference in points with its interval. */
function intervalText({ mean, low, high }: Interval): string {
  return `${points(mean)} (${points(low)} to ${points(high)})`;
}

/** Returns the conclusion of a tune and then sentences that explain the figures, as a list. */
export function tuneNotes({ metric, conclusion, proposed }: TuneTable): string[] {
  return [
    conclusion,
    ...(proposed ? [proposedText(proposed)] : []),
    `${metric}, in per cent. Candidates were chosen by half A, so only half B shows how good they are. Differences are to the start on the same questions; on half A they are in brackets. Of N: only the first N questions of half A were asked.`,
    'The interval is at the level of the one-sided test, corrected by Holm over the finalists. The cost of a question is without savings by caches. *: of those asked all of half A, no other is both better and cheaper.',
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
  'differenceA',
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
 * undefined if nothing is saved, or a price is unknown.
 *
 * @param spentUsd Cost of the tune in US dollars; null if unknown.
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
