/** Tests a study before all of its questions have ended, on the first questions that have. Pure. */
import type { UntilDecided } from '../../core/study/until-decided.js';
import { type Decision, decide, type PairedPrefix } from '../statistics/decide.js';
import type { CellGroups } from './question-groups.js';
import type { ScoredCell } from './tested-metrics.js';

/** A cell of a study, with its scores and the order in which its questions are asked. */
export interface OrderedCell extends ScoredCell, CellGroups {
  /** Names of the extra fields stored with its questions. */
  fields?: ReadonlySet<string>;
  /** Its runs, one for each repeat, including those that have not started. */
  runs: readonly unknown[];
  /** Ids of all questions in the order in which they are asked. */
  order: readonly string[];
  /** Ids of questions that have ended in all repeats. */
  ended: ReadonlySet<string>;
  /** Ids of questions that failed in one of the repeats. */
  failed: ReadonlySet<string>;
  /** Mean cost of a question in one repeat, in US dollars; null if a price is unknown. */
  costUsd: number | null;
}

/**
 * The settings of the test of a study that stops once it is decided: those that its file declares,
 * the number of comparisons over which alpha is split, and the US dollars that may still be spent.
 */
export interface SequentialRule extends Partial<UntilDecided> {
  /** Number of comparisons that alpha is split over. */
  comparisons: number;
  /**
   * US dollars that may still be spent; a comparison that needs more ends undecided. Undefined for
   * no limit.
   */
  leftUsd?: number | undefined;
}

/**
 * Returns the verdict so far, with its figures, of the sequential test of the first cell against
 * the second in a metric, by the questions of the completed prefix (see `pairedPrefix`).
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

/** Returns whether every score is 0 or 1. Means over repeats always count as graded. */
function isYesNoIn({ runs, metrics }: OrderedCell, metric: string): boolean {
  const scores = metrics.find((one) => one.metric === metric)?.scores ?? new Map();
  return runs.length === 1 && [...scores.values()].every((score) => score === 0 || score === 1);
}

/**
 * Returns the number of further questions that both cells can be asked, at their mean cost so far.
 */
function affordable(leftUsd: number, cells: readonly OrderedCell[]): number {
  const each = cells.reduce((sum, { costUsd, runs }) => sum + (costUsd ?? 0) * runs.length, 0);
  return each > 0 ? Math.floor(leftUsd / each) : Infinity;
}

/**
 * Returns the `differences` of scores, first cell minus second, on the first questions in the
 * order in which they are asked: those before the first one that one of the cells has not ended in
 * all repeats. Later ones would be a biased sample, since hard questions take longer. `leftOut` is
 * the number of questions without a difference: those to which the metric does not apply and, if
 * the rule leaves out failures, those that failed. In a decision about this data set alone, the
 * former have the difference 0.
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
