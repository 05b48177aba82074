/** The metrics and citations that a run's method and spec ask for. Pure. */
import type { AnswerForm } from '../../core/method.js';
import type { ChainMetric } from '../../core/metric.js';
import type { RunSpec } from '../../core/run/input.js';
import type { ChainMetricInfo } from '../../core/run/run.js';
import { chainMetrics } from '../../evaluation/metrics/chain-metrics.js';
import type { Metrics } from '../../evaluation/metrics/registry.js';
import { type ApplicableMetrics, applicableMetrics } from '../../evaluation/score-answer.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';

export interface Known {
  metrics: Metrics;
  methods: OwnMethods;
}

/**
 * Returns the metrics that apply to a question of a run: scorers, judged metrics and metrics of the
 * chain. They are the same however the question ended. If this cannot be determined for a metric,
 * the reason is returned.
 */
export function applyingInRun(
  spec: RunSpec,
  question: RunQuestion,
  { metrics: known, methods }: Known,
): ApplicableMetrics {
  const { judge, metrics } = spec;
  const cites = citingForm(spec, methods) !== undefined;
  const told = toldBy(spec, methods);
  return applicableMetrics(question, { judge, metrics, cites, told }, known);
}

/** Returns the metrics of what the method of a run tells of its chain. */
function toldBy(
  { method, options }: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): ChainMetric[] {
  const declared = methods.get(method);
  return declared ? chainMetrics(declared, options) : [];
}

/** Returns what a run keeps of these metrics, if there are any. */
export function toldIn(
  spec: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): { told?: ChainMetricInfo[] } {
  const told = toldBy(spec, methods).map(({ name, title, range }) => ({
    name,
    title,
    ...(range && { range }),
  }));
  return told.length === 0 ? {} : { told };
}

/** Returns the form of the answers of a run that cite; undefined if they do not cite. */
export function citingForm(
  { method, options }: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): Exclude<AnswerForm, 'short'> | undefined {
  return methods.get(method)?.cites?.(options);
}
