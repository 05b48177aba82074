/** Noise robustness over runs: those that differ in the share of noise only make a curve. Pure. */
import type { RunSpec } from '../../core/run/input.js';
import type { RunFigures } from './run-figures.js';
import { sweepOf } from './run-identity.js';

type Noise = NonNullable<RunSpec['noise']>;

export interface NoisePoint {
  ratio: number;
  /** Position of the run. */
  run: number;
}

export interface NoiseSweep {
  method: string;
  kind: Noise['kind'];
  /** k, passages a question was asked with. */
  count: number;
  /** By ascending share of noise. */
  points: NoisePoint[];
}

/** The sweeps among runs: at least two shares of noise each. Of equal shares the first run counts. */
export function noiseSweeps(runs: readonly RunFigures[]): NoiseSweep[] {
  const sweeps = new Map<string, NoiseSweep>();
  for (const [run, { manifest }] of runs.entries()) {
    const key = sweepOf(manifest);
    const { noise, method } = manifest.input;
    if (key === undefined || !noise) continue;
    const sweep = sweeps.get(key) ?? { method, kind: noise.kind, count: noise.count, points: [] };
    if (!sweep.points.some(({ ratio }) => ratio === noise.ratio)) {
      sweep.points.push({ ratio: noise.ratio, run });
    }
    sweeps.set(key, sweep);
  }
  return [...sweeps.values()]
    .filter(({ points }) => points.length > 1)
    .map((sweep) => ({ ...sweep, points: sweep.points.sort((a, b) => a.ratio - b.ratio) }));
}
