/** The Grafana dashboard of the docs: what it asks Prometheus for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../stores/package-root.js';

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

export function dashboard(): Dashboard {
  return JSON.parse(readFileSync(join(packageRoot(), 'docs/grafana-dashboard.json'), 'utf8'));
}

/** The series that its panels name. */
export function seriesOf({ panels }: Dashboard): string[] {
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const names = expressions.flatMap((expr) => expr.match(/\b(?:durable_rag|temporal)_\w+/g) ?? []);
  return [...new Set(names)].sort();
}

/** As a scrape names them: a histogram is three. */
export function exportedNames(
  series: readonly { name: string; kind: 'counter' | 'histogram' | 'gauge' }[],
): string[] {
  return series.flatMap(({ name, kind }) => {
    if (kind === 'counter') return [`${name}_total`];
    return kind === 'gauge' ? [name] : ['_bucket', '_sum', '_count'].map((end) => name + end);
  });
}
