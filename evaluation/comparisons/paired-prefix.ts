/**
 * The part of the questions that may be examined before all have ended: the completed prefix of
 * their order. Pure.
 */
import type { UntilDecided } from '../../core/study/until-decided.js';
import { type Decision, decide, type PairedPrefix } from '../statistics/decide.js';
import type { Grouped } from './question-groups.js';
import type { ScoredCell } from './tested-metrics.js';

/** A cell of a study with the progress of its questions, in the order in which they are asked. */
export interface OrderedCell extends ScoredCell, Grouped {
  /** Names of the fields stored with its questions. */
  fields?: ReadonlySet<string>;
  /** Its runs, one for each repeat, including those that have not begun. */
  runs: readonly unknown[];
  /** Ids of all questions in the order in which they are asked. */
  order: readonly string[];
  /** Ids of those that all repeats have ended, and of those that failed in one of them. */
  ended: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  /** US dollars a question and repeat; null if a price is not known. */
  costUsd: number | null;
}

/** The rule of a study that stops once it is decided. */
export interface SequentialRule extends Partial<UntilDecided> {
  /** Comparisons that alpha is split over. */
  comparisons: number;
  /** US dollars that may still be spent; a comparison that needs more ends. */
  leftUsd?: number | undefined;
}

/**
 * Returns the result of the sequential test of two cells in a metric, from their completed prefix.
 */
export function decidePair(
  [cell, against]: readonly [OrderedCell, OrderedCell],
  metric: string,
  rule: SequentialRule,
): Decision {
  const { order } = cell;
  const { leftUsd, failures: _, ...given } = rule;
  const left = leftUsd !== undefined && { left: affordable(leftUsd, [cell, against]) };
  const isYesNo = [cell, against].every((one) => isYesNoIn(one, metric));
  return decide(
    { ...pairedPrefix(order, cell, against, metric, rule), ...left },
    { ...given, questions: order.length, scores: isYesNo ? 'yesNo' : 'graded' },
  );
}

/**
 * Tells whether every score is 0 or 1. Means over repeats count as graded, whatever they are so
 * far.
 */
function isYesNoIn({ runs, metrics }: OrderedCell, metric: string): boolean {
  const scores = metrics.find((one) => one.metric === metric)?.scores ?? new Map();
  return runs.length === 1 && [...scores.values()].every((score) => score === 0 || score === 1);
}

/** Returns how many more questions the cells can be asked together, at the cost of one so far. */
function affordable(leftUsd: number, cells: readonly OrderedCell[]): number {
  const each = cells.reduce((sum, { costUsd, runs }) => sum + (costUsd ?? 0) * runs.length, 0);
  return each > 0 ? Math.floor(leftUsd / each) : Infinity;
}

/**
 * Returns the differences over the questions from the first of the order to the last before one that
 * a cell has not ended in all repeats: hard questions end late, so that whatever has ended by now
 * would be easier than the rest. Questions that the metric does not apply to are left out; over the
 * whole data set they make no difference.
 */
export function pairedPrefix(
  order: readonly string[],
  cell: OrderedCell,
  against: OrderedCell,
  metric: string,
  { failures = 'wrong', about }: Partial<UntilDecided> = {},
): Required<Omit<PairedPrefix, 'left'>> {
  const [first, second] = [cell, against].map(
    ({ metrics }) => metrics.find((one) => one.metric === metric)?.scores,
  );
  const open = order.findIndex((id) => !cell.ended.has(id) || !against.ended.has(id));
  const prefix = open === -1 ? order : order.slice(0, open);
  const differences = prefix.flatMap((id) => {
    if (failures === 'leftOut' && (cell.failed.has(id) || against.failed.has(id))) return [];
    const [one, other] = [first?.get(id), second?.get(id)];
    if (one !== undefined && other !== undefined) return [one - other];
    return about === 'thisDataset' ? [0] : [];
  });
  return { differences, leftOut: prefix.length - differences.length };
}
