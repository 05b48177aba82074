/** The project's series on the meter of the SDK's runtime, exported together with the SDK's own. */
import { type MetricsExporterConfig, Runtime } from '@temporalio/worker';
import { measurementsOf } from './measure.js';
import type { Observer } from './observing.js';
import { type Measurement, recorder, SERIES } from './series.js';

let made: { runtime: Runtime; record: (measurement: Measurement) => void } | undefined;

/**
 * Records a measurement on the meter of this process's runtime; does nothing if that exports no
 * metrics.
 */
export function measure(measurement: Measurement): void {
  const runtime = Runtime.instance();
  if (made?.runtime !== runtime) made = { runtime, record: recorder(runtime.metricMeter) };
  made.record(measurement);
}

export const measuring: Observer = (observation) => {
  for (const measurement of measurementsOf(observation)) measure(measurement);
};

/**
 * Returns the value of a runtime's `telemetryOptions.metrics` that serves the SDK's series and ours
 * to Prometheus, in seconds and under the names listed in docs/reference/series.md.
 *
 * @param bindAddress "127.0.0.1:9464"; the series are at `/metrics` there.
 * @example
 * Runtime.install({ telemetryOptions: { metrics: prometheusMetrics('0.0.0.0:9464') } });
 */
export function prometheusMetrics(bindAddress: string): MetricsExporterConfig {
  const withBuckets = Object.values(SERIES).flatMap((series) =>
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
