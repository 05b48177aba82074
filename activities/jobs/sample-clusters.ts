/** From cluster labels to the demonstrations of each cluster (GenRead 3.2.2, step 3). Pure. */
import { sampler } from '../../core/sampler.js';

export interface SampledCluster {
  size: number;
  /** Positions of those sampled, in their order. */
  members: number[];
}

/**
 * Samples `count` members of every cluster, or all of one that is smaller. The largest cluster
 * comes first, of equals the one with the earlier member; a label that nothing has makes none.
 *
 * @param labels the cluster of each position.
 */
export function sampleClusters(
  labels: readonly number[],
  count: number,
  seed: number,
): SampledCluster[] {
  const clusters = new Map<number, number[]>();
  labels.forEach((label, position) => {
    const positions = clusters.get(label);
    if (positions) positions.push(position);
    else clusters.set(label, [position]);
  });
  return [...clusters.values()]
    .sort((a, b) => b.length - a.length)
    .map((positions, k) => {
      const take = sampler(`${seed}/cluster-${k}`, count, positions.length);
      return { size: positions.length, members: positions.filter(() => take()) };
    });
}
