/** The dashboard asks for what there is. */
import { expect, it } from 'vitest';
import { WORKER_METRICS, type WorkerMetric } from '../../../workers/observe/worker-metrics.js';
import { dashboard, exportedNames, seriesOf } from '../../support/dashboard.js';

const all: WorkerMetric[] = Object.values(WORKER_METRICS);
const ours = exportedNames(all);

it('names no series of ours that there is not', () => {
  const named = seriesOf(dashboard()).filter((name) => name.startsWith('durable_rag_'));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !ours.includes(name))).toEqual([]);
});

it('is named as Prometheus names series', () => {
  for (const { name, kind, help } of all) {
    expect(name).toMatch(/^durable_rag_[a-z]+(_[a-z]+)*$/);
    // The exporter puts it behind counters; on anything else it would say what is not so.
    expect(name).not.toMatch(/_total$/);
    if (kind === 'histogram') expect(name).toMatch(/_(seconds|dollars)$/);
    expect(help).toMatch(/\.$/);
  }
});
