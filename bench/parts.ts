/** Times pieces of work one by one in this process, each on the same inputs. */
import { quantile } from '../evaluation/statistics/quantile.js';
import { figuresTable } from './figures-table.js';

export interface Part {
  name: string;
  /** Makes ready for an input what is not timed, and gives what is. */
  of(input: string): Promise<() => unknown>;
}

export interface PartTimes {
  name: string;
  /** Milliseconds: CPU of the whole process, mean; time, median and shortest. */
  cpu: number;
  p50: number;
  shortest: number;
}

/** Each part on each input, all parts in turn; the first inputs warm up and do not count. */
export async function timeParts(
  parts: readonly Part[],
  inputs: readonly string[],
  warmUp = 0,
): Promise<PartTimes[]> {
  const rows = parts.map((part) => ({ part, times: [] as number[], cpu: 0 }));
  for (const [n, input] of inputs.entries()) {
    for (const row of rows) {
      const work = await row.part.of(input);
      const before = process.cpuUsage();
      const start = performance.now();
      await work();
      const ms = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      if (n < warmUp) continue;
      row.times.push(ms);
      row.cpu += (user + system) / 1000;
    }
  }
  return rows.map(({ part: { name }, times, cpu }) => {
    const sorted = times.toSorted((a, b) => a - b);
    return {
      name,
      cpu: cpu / sorted.length,
      p50: quantile(sorted, 0.5),
      shortest: quantile(sorted, 0),
    };
  });
}

/** In Markdown. */
export function partsTable(parts: readonly PartTimes[]): string {
  return figuresTable([
    ['part', 'CPU ms', 'ms, median', 'ms, shortest'],
    ...parts.map(({ name, ...ms }) => [
      name,
      ...[ms.cpu, ms.p50, ms.shortest].map((figure) => figure.toFixed(2)),
    ]),
  ]);
}
