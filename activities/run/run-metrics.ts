/** Determines the metrics and the citing form of a run from its method and spec. Pure. */
import type { AnswerForm } from '../../core/method.js';
import type { ChainMetric } from '../../core/metric.js';
import type { RunSpec } from '../../core/run/input.js';
import type { ChainMetricInfo } from '../../core/run/run.js';
import { chainMetrics } from '../../evaluation/metrics/chain-metrics.js';
import type { Metrics } from '../../evaluation/metrics/registry.js';
import { type ApplicableMetrics, applicableMetrics } from '../../evaluation/score-answer.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';

/** The metrics and methods of a worker by name, both shipped and custom ones. */
export interface KnownMetrics {
  metrics: Metrics;
  methods: OwnMethods;
}

/**
 * Returns the metrics that apply to a question of a run, as declarations: `scorers`, `judged`
 * metrics and metrics of the `chain`. They do not depend on how the question ended. `unscored` has
 * the reason, by the metric's name, if it cannot be determined whether one applies.
 */
export function applyingInRun(
  spec: RunSpec,
  question: RunQuestion,
  { metrics: known, methods }: KnownMetrics,
): ApplicableMetrics {
  const { judge, metrics } = spec;
  const cites = citingForm(spec, methods) !== undefined;
  const chainMetrics = declaredChainMetrics(spec, methods);
  return applicableMetrics(question, { judge, metrics, cites, chainMetrics }, known);
}

/** Returns the chain metrics that the method of a run declares. */
function declaredChainMetrics(
  { method, options }: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): ChainMetric[] {
  const declared = methods.get(method);
  return declared ? chainMetrics(declared, options) : [];
}

/**
 * Returns the names, titles and ranges of the chain metrics of a run's method as the field
 * `chainMetrics` of its manifest; an empty object if there are none.
 */
export function chainMetricsOfRun(
  spec: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): { chainMetrics?: ChainMetricInfo[] } {
  const found = declaredChainMetrics(spec, methods).map(({ name, title, range }) => ({
    name,
    title,
    ...(range && { range }),
  }));
  return found.length === 0 ? {} : { chainMetrics: found };
}

/**
 * Returns the form in which a run's method writes answers with citations, "prose" or "list";
 * undefined if the method does not cite.
 */
export function citingForm(
  { method, options }: Pick<RunSpec, 'method' | 'options'>,
  methods: OwnMethods,
): Exclude<AnswerForm, 'short'> | undefined {
  return methods.get(method)?.cites?.(options);
}
