/** People's verdicts on answers, compared with the metrics. Pure. */
import type { RunMetric } from '../../core/run/run.js';
import type { Mark, RunAnswer } from '../../stores/runs/run-store.js';
import { inOrder } from './metrics.js';
import { isRightBy } from './question-state.js';

export interface ShownMark extends Pick<Mark, 'says' | 'note'> {
  /** Titles of the metrics of the answer that say otherwise. */
  against: string[];
}

/** Returns the mark of an answer; undefined for one of an answer that was there before. */
export function shownMark(
  { endedAt, scores, judgement }: RunAnswer,
  mark: Mark | undefined,
  own?: readonly RunMetric[],
): ShownMark | undefined {
  if (mark?.of !== endedAt) return undefined;
  const { says, note } = mark;
  const all: Record<string, number> = { ...scores, ...judgement?.scores };
  const otherwise = inOrder(Object.keys(all), own).filter(
    ({ metric, group }) =>
      group !== 'retrieval' && isRightBy(all[metric] ?? 0) !== (says === 'right'),
  );
  return { says, note, against: says === null ? [] : otherwise.map(({ title }) => title) };
}
