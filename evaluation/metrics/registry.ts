/** Registers all metrics, and selects the custom ones that a run uses. */
import { Failure } from '../../core/failure.js';
import { isJudged, isRubric, type Metric, type OwnMetric, type Rubric } from '../../core/metric.js';
import { suggestion } from '../../core/options/nearest.js';
import { badInput } from '../../core/options/problems.js';
import type { RunMetric } from '../../core/run/run.js';
import { sha256Of } from '../../core/sha256.js';
import type { Judge } from '../../core/step-models.js';
import { BUILT_IN } from './built-in.js';
import { RESERVED_METRIC_NAMES } from './chain-metrics.js';
import { OPTIONAL_METRICS } from './optional-metrics.js';

/**
 * All metrics by name, in the order in which they are shown: built-in ones, optional ones, then
 * custom ones in the given order.
 */
export type Metrics = ReadonlyMap<string, Metric>;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** Highest number of a rubric's scale. */
const HIGHEST = 1000;

/**
 * Returns the built-in, optional and custom metrics by name.
 *
 * @param own Custom metrics.
 * @throws Failure BadInput if a name is taken or invalid, or if the scale of a rubric is invalid.
 */
export function metricRegistry(own: readonly OwnMetric[] = []): Metrics {
  const metrics = new Map<string, Metric>(
    [...BUILT_IN, ...OPTIONAL_METRICS].map((metric) => [metric.name, metric]),
  );
  for (const metric of own) {
    const { name } = metric;
    if (!NAME.test(name)) {
      throw new Failure(
        'BadInput',
        `"${name}" cannot name a metric: it must be letters, digits, "_" or "-", beginning with a letter.`,
      );
    }
    const there = metrics.get(name);
    if (there || RESERVED_METRIC_NAMES.has(name)) {
      const problem =
        !there || BUILT_IN.includes(there) || OPTIONAL_METRICS.includes(there as OwnMetric)
          ? `There is a built-in metric "${name}"; rename yours.`
          : `There are two metrics named "${name}"; rename one.`;
      throw new Failure('BadInput', problem);
    }
    if (isRubric(metric)) checkScale(metric);
    metrics.set(name, metric);
  }
  return metrics;
}

function checkScale({ name, scale }: Rubric): void {
  if (scale === 'yesNo') return;
  const { from, to } = scale;
  if (from >= 0 && to > from && to <= HIGHEST) return;
  throw new Failure(
    'BadInput',
    `The scale of the metric "${name}" must be "yesNo", or numbers from 0 to ${HIGHEST} with "to" greater than "from".`,
  );
}

/** The metrics named at the start of a run, and its judge. */
interface Chosen {
  metrics?: readonly string[] | undefined;
  judge?: Judge | undefined;
}

/**
 * Returns the metrics that a run uses besides the built-in ones. If metrics are named, these are
 * returned; otherwise all custom ones, without judged ones if there is no judge.
 *
 * @throws Failure BadInput naming an unknown metric, or a judged one that is named although there
 * is no judge.
 */
export function chosenMetrics({ metrics: names, judge }: Chosen, metrics: Metrics): OwnMetric[] {
  const own = [...metrics.values()].filter(
    (metric): metric is OwnMetric => metric.from !== 'passages' && !BUILT_IN.includes(metric),
  );
  const known = new Map(own.map((metric) => [metric.name, metric]));
  const unknown = names?.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const others = suggestion(unknown, [...known.keys()]);
    throw badInput('metrics', `there is no metric "${unknown}"${others}`);
  }
  const isTold = (metric: OwnMetric) => judge !== undefined || !isJudged(metric);
  const usual = own.filter((metric) => !OPTIONAL_METRICS.includes(metric) && isTold(metric));
  const chosen = names ? own.filter(({ name }) => names.includes(name)) : usual;
  const unasked = chosen.find((metric) => !isTold(metric));
  if (unasked) throw badInput('metrics', `"${unasked.name}" needs a judge, and none is named`);
  return chosen;
}

/**
 * Returns the rubrics among metrics, in their order. Each is a step of the judge, with a prompt of
 * its own.
 */
export function rubricsIn(metrics: Metrics): Rubric[] {
  return [...metrics.values()].filter(isRubric);
}

/**
 * Returns the record of a custom metric that a run stores, so that its scores can be shown by a
 * program without the metric's code.
 */
export function storedMetric(metric: OwnMetric): RunMetric {
  const { name, title, headline = true, decides, acrossForms } = metric;
  const judged = isJudged(metric) && { judged: true as const };
  return {
    name,
    title,
    headline,
    ...(decides !== undefined && { decides }),
    ...(acrossForms !== undefined && { acrossForms }),
    ...judged,
    ...(metric.from === 'chain' && { chain: true as const }),
    ...(metric.from === 'chain' && metric.range && { range: metric.range }),
    version: versionOf(metric),
  };
}

/**
 * Returns a hash of a metric's code, 12 hexadecimal digits. The prompt of a rubric is excluded,
 * since prompts have hashes of their own.
 */
function versionOf(metric: OwnMetric): string {
  const scoring = isRubric(metric)
    ? [metric.scale, metric.maxTokens ?? null]
    : metric.from === 'chain'
      ? [metric.range ?? null, String(metric.value)]
      : String(metric.score);
  const code = JSON.stringify([scoring, String(metric.applies)]);
  return sha256Of(code, 12);
}
