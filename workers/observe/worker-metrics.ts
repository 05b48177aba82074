/** The metrics that a worker exports besides the SDK's own. */
import { toUSVString } from 'node:util';
import type { MetricMeter } from '@temporalio/common';
import { QUESTIONS_COUNTER } from '../../core/result.js';

/** A metric that a worker exports besides the SDK's own, in Prometheus's terms. */
export interface WorkerMetric {
  /** Name; the exporter appends `_total` to counters. */
  name: string;
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  labels: readonly Label[];
  /** Upper bounds of a histogram's buckets. */
  buckets?: readonly number[];
}

/** Labels of series; each has few values: see `labelLimiter`. */
type Label = 'method' | 'outcome' | 'step' | 'model' | 'kind';

const CALL = ['method', 'step', 'model'] as const;
/** Upper bounds of the buckets of durations, in seconds. */
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];
/** Upper bounds of the buckets of costs, in US dollars. */
const DOLLARS = [0.00001, 0.0001, 0.001, 0.01, 0.1, 1];

/**
 * The metrics that a worker exports for monitoring besides the Temporal SDK's own, by our short
 * key, such as `cacheHits`: name, kind, help and labels of each.
 */
export const WORKER_METRICS = {
  ended: {
    name: QUESTIONS_COUNTER,
    kind: 'counter',
    help: 'Questions that ended, by outcome: answered, unknown, unreadable, failed. The SDK adds namespace, taskQueue and workflowType.',
    labels: ['method', 'outcome'],
  },
  calls: {
    name: 'durable_rag_calls',
    kind: 'counter',
    help: 'Model calls that were answered, those from the response cache included.',
    labels: CALL,
  },
  cacheHits: {
    name: 'durable_rag_cache_hits',
    kind: 'counter',
    help: 'Model calls that the response cache answered.',
    labels: CALL,
  },
  tokens: {
    name: 'durable_rag_tokens',
    kind: 'counter',
    help: "Tokens that were paid for, by kind: prompt (without the other two of a prompt), cached_prompt and written_prompt (from and into the provider's cache), completion.",
    labels: [...CALL, 'kind'],
  },
  cost: {
    name: 'durable_rag_cost_dollars',
    kind: 'histogram',
    help: 'US dollars a call, by kind: answered, or estimated for attempts that gave no answer.',
    labels: [...CALL, 'kind'],
    buckets: DOLLARS,
  },
  unpriced: {
    name: 'durable_rag_unpriced_calls',
    kind: 'counter',
    help: 'Calls whose price is not known: they are missing in the dollars.',
    labels: CALL,
  },
  refusals: {
    name: 'durable_rag_refusals',
    kind: 'counter',
    help: 'Attempts that the provider refused, by kind: RateLimited, NoCapacity.',
    labels: [...CALL, 'kind'],
  },
  failures: {
    name: 'durable_rag_failures',
    kind: 'counter',
    help: 'Attempts of activities that failed, by the kind of failure.',
    labels: [...CALL, 'kind'],
  },
  waits: {
    name: 'durable_rag_limit_wait_seconds',
    kind: 'histogram',
    help: 'Seconds that calls are sent back for, by kind: AwaitsTokens (our limit), or how the provider refused.',
    labels: [...CALL, 'kind'],
    buckets: SECONDS,
  },
  seconds: {
    name: 'durable_rag_step_seconds',
    kind: 'histogram',
    help: 'Seconds of the attempts of activities that gave a result.',
    labels: CALL,
    buckets: SECONDS,
  },
  questions: {
    name: 'durable_rag_questions_under_way',
    kind: 'gauge',
    help: 'Questions under way on the task queue, as the Temporal server counts them: the same from each worker.',
    labels: [],
  },
  ready: {
    name: 'durable_rag_ready',
    kind: 'gauge',
    help: '1 while this worker takes work and its parts answer, else 0.',
    labels: [],
  },
} as const satisfies Record<string, WorkerMetric>;

type SeriesName = keyof typeof WORKER_METRICS;

/** A value to record for one of our metrics, with its labels. */
export interface Measurement {
  series: SeriesName;
  value: number;
  labels: Readonly<Partial<Record<Label, string>>>;
}

/**
 * Creates all our metrics on a meter, and returns a function that records one measurement. The
 * number of values of each label is limited.
 */
export function recorder(meter: MetricMeter): (measurement: Measurement) => void {
  const made = Object.fromEntries(
    Object.entries(WORKER_METRICS).map(([key, series]) => [key, instrument(meter, series)]),
  );
  const label = labelLimiter();
  return ({ series, value, labels }) => {
    const known = Object.entries(labels).map(([name, given]) => [name, label(name, given)]);
    made[series]?.(value, Object.fromEntries(known));
  };
}

type Instrument = (value: number, labels: Record<string, string>) => void;

function instrument(meter: MetricMeter, { name, kind, help }: WorkerMetric): Instrument {
  if (kind === 'counter') {
    const counter = meter.createCounter(name, undefined, help);
    return (value, labels) => counter.add(value, labels);
  }
  if (kind === 'gauge') {
    const gauge = meter.createGauge(name, 'int', undefined, help);
    return (value, labels) => gauge.set(value, labels);
  }
  const histogram = meter.createHistogram(name, 'float', undefined, help);
  return (value, labels) => histogram.record(value, labels);
}

/** Maximum number of values of a label; further ones become "other". */
const MOST_VALUES = 60;

/** Maximum number of characters of a value, since a name may be as long as a text. */
const LONGEST_VALUE = 100;

/**
 * Returns a function that limits the number of values of each label: from a label's name and a
 * value it returns the value, cut to 100 characters, or "other" for a new value of a label that
 * already has `most` (60 if left out). A question may name any model, and each value would be a
 * series that the worker and Prometheus keep for ever.
 */
export function labelLimiter(most = MOST_VALUES): (label: string, value: string) => string {
  const seen = new Map<string, Set<string>>();
  return (label, given) => {
    const value = toUSVString(given.slice(0, LONGEST_VALUE));
    const values = seen.get(label) ?? new Set();
    seen.set(label, values);
    if (values.size < most) values.add(value);
    return values.has(value) ? value : 'other';
  };
}
