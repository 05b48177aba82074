/** Which metrics apply to an answer of a run, and what its judge is asked of it. Pure. */

import type { RunSpec } from '../../core/run/input.js';
import type { Metrics } from '../../evaluation/metrics/registry.js';
import { type Applying, applyingTo } from '../../evaluation/score-answer.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';

export interface Known {
  metrics: Metrics;
  methods: OwnMethods;
}

/** Told by the form of the run's answers and by the question, whatever came of it. */
export function applyingInRun(
  spec: RunSpec,
  question: RunQuestion,
  { metrics: known, methods }: Known,
): Applying {
  const { judge, metrics } = spec;
  const cites = citingForm(spec, methods) !== undefined;
  return applyingTo(question, { judge, metrics, cites }, known);
}

/** The form of the answers of a run where they cite. */
export function citingForm(
  { method, options }: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): 'prose' | 'list' | undefined {
  return methods.get(method)?.cites?.(options);
}
