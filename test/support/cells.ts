/** Cells with scores made by hand, as they are compared. */
import type { ComparedCell } from '../../evaluation/comparisons/compare-pairs.js';
import { metricsInOrder } from '../../evaluation/runs/metrics.js';

/** A cell of questions q0 on, each with its scores in order; undefined where a metric has none. */
export function cellOf(
  scores: Readonly<Record<string, readonly (number | undefined)[]>>,
  more: Partial<ComparedCell> = {},
): ComparedCell {
  const most = Math.max(0, ...Object.values(scores).map(({ length }) => length));
  const order = Array.from({ length: most }, (_, i) => `q${i}`);
  return {
    data: 'd',
    form: 'short',
    runs: ['r'],
    metrics: metricsInOrder(Object.keys(scores)).map((shown) => ({
      ...shown,
      scores: new Map(
        order.flatMap((id, i) => {
          const score = scores[shown.metric]?.[i];
          return score === undefined ? [] : [[id, score] as const];
        }),
      ),
    })),
    order,
    usual: new Set(order),
    ended: new Set(order),
    failed: new Set(),
    costUsd: null,
    ...more,
  };
}
