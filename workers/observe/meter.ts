/** Records the project's metrics on the meter of the SDK's runtime, which exports them. */
import { type MetricsExporterConfig, Runtime } from '@temporalio/worker';
import { measurementsOf } from './measure.js';
import type { Observer } from './observing.js';
import { type Measurement, recorder, WORKER_METRICS } from './worker-metrics.js';

let made: { runtime: Runtime; record: (measurement: Measurement) => void } | undefined;

/**
 * Records a measurement on the meter of this process's Temporal runtime; has no effect if the
 * runtime exports no metrics.
 */
export function measure(measurement: Measurement): void {
  const runtime = Runtime.instance();
  if (made?.runtime !== runtime) made = { runtime, record: recorder(runtime.metricMeter) };
  made.record(measurement);
}

/**
 * Observer that records the metrics of each attempt of an activity on the meter of this process.
 */
export const metricsObserver: Observer = (observation) => {
  for (const measurement of measurementsOf(observation)) measure(measurement);
};

/**
 * Returns the value of `telemetryOptions.metrics` for a Temporal runtime that serves the SDK's
 * metrics and ours to Prometheus, with durations in seconds. docs/reference/series.md lists ours.
 *
 * @param bindAddress "HOST:PORT" at which the runtime serves `/metrics`: "127.0.0.1:9464".
 * @example
 * Runtime.install({ telemetryOptions: { metrics: prometheusMetrics('0.0.0.0:9464') } });
 */
export function prometheusMetrics(bindAddress: string): MetricsExporterConfig {
  const withBuckets = Object.values(WORKER_METRICS).flatMap((series) =>
    'buckets' in series ? [[series.name, [...series.buckets]]] : [],
  );
  return {
    attachServiceName: false,
    prometheus: {
      bindAddress,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
      histogramBucketOverrides: Object.fromEntries(withBuckets),
    },
  };
}
