/** Compares people's verdicts on answers with the metrics. Pure. */
import type { RunMetric } from '../../core/run/run.js';
import type { Mark, RunAnswer } from '../../stores/runs/run-store.js';
import { metricsInOrder } from './metrics.js';
import { isRightBy } from './question-state.js';

/**
 * A person's verdict on an answer (right or wrong) and note, with the titles of the metrics that
 * contradict the verdict.
 */
export interface ShownMark extends Pick<Mark, 'says' | 'note'> {
  /** Titles of the metrics whose score contradicts the verdict; empty without a verdict. */
  against: string[];
}

/**
 * Returns a person's verdict on an answer, compared with the answer's scores. Undefined if nobody
 * marked this answer; a mark on an earlier answer to the question does not count.
 *
 * @param mark The stored mark of the question, if there is one.
 * @param own Custom metrics of the run.
 */
export function shownMark(
  { endedAt, scores, judgement }: RunAnswer,
  mark: Mark | undefined,
  own?: readonly RunMetric[],
): ShownMark | undefined {
  if (mark?.of !== endedAt) return undefined;
  const { says, note } = mark;
  const all: Record<string, number> = { ...scores, ...judgement?.scores };
  const otherwise = metricsInOrder(Object.keys(all), own).filter(
    ({ metric, group }) =>
      group !== 'retrieval' && isRightBy(all[metric] ?? 0) !== (says === 'right'),
  );
  return { says, note, against: says === null ? [] : otherwise.map(({ title }) => title) };
}
