/**
 * Clusters the question-document pairs and stores the demonstrations of each cluster (GenRead
 * 3.2.2, steps 2-3).
 */
import type { QuestionDocument, SetOrigin } from '../../core/demonstration-sets.js';
import { Failure } from '../../core/failure.js';
import { sampler } from '../../core/sampler.js';
import type { ClusteredPairs, ClusterPairsInput } from '../../workflows/activities/clusters.js';
import type { Ports } from '../runtime/ports.js';
import { kMeans } from './k-means.js';
import { pairText, readPage } from './pages.js';

/**
 * Returns what was stored.
 *
 * @throws Failure BadInput if there are fewer pairs than clusters, or if a vector is not in the
 * store.
 */
export async function clusterPairs(
  { name, pages, origin }: ClusterPairsInput,
  {
    demonstrationSets,
    embeddings,
    texts,
  }: Pick<Ports, 'demonstrationSets' | 'embeddings' | 'texts'>,
  signal: AbortSignal,
): Promise<ClusteredPairs> {
  const pairs: QuestionDocument[] = [];
  for (const page of pages) pairs.push(...(await readPage<QuestionDocument>(texts, page)));
  if (pairs.length < origin.clusters) {
    throw new Failure(
      'BadInput',
      `clusters: ${origin.clusters} clusters cannot be made of ${pairs.length} question-document pairs.`,
    );
  }
  const isOfAll = origin.drawnFrom === 'allPairs';
  const sampled = isOfAll
    ? sampleAll(pairs.length, origin)
    : sampleClusters(await clustered(), origin.pairs, origin.seed);
  const clusters = sampled.map(({ size, members }) => ({
    size,
    pairs: members.flatMap((position) => pairs[position] ?? []),
  }));
  const made = { ...origin, embeddingModel: isOfAll ? null : embeddings.model };
  const ref = await demonstrationSets.put(name, { origin: made, size: pairs.length, clusters });
  return { ...ref, sizes: clusters.map(({ size }) => size), origin: made };

  async function clustered(): Promise<number[]> {
    const vectors = await embeddings.get(pairs.map((pair) => embeddings.keyOf(pairText(pair))));
    return kMeans(vectors, origin.clusters, origin.seed, signal);
  }
}

/**
 * Draws as many sets of pairs as there would be clusters, each from all pairs (GenRead table 11).
 *
 * @param count Pairs there are.
 */
export function sampleAll(
  count: number,
  { clusters, pairs, seed }: Pick<SetOrigin, 'clusters' | 'pairs' | 'seed'>,
): SampledCluster[] {
  return Array.from({ length: clusters }, (_, k) => {
    const take = sampler(`${seed}/all-${k}`, pairs, count);
    const positions = Array.from({ length: count }, (__, position) => position);
    return { size: count, members: positions.filter(() => take()) };
  });
}

interface SampledCluster {
  size: number;
  /** Positions of the sampled members, ascending. */
  members: number[];
}

/**
 * Samples `count` members of every cluster, or all of a smaller one. The largest cluster comes
 * first; of equal ones, the one with the earlier member. Unused labels make no cluster.
 *
 * @param labels Cluster of each position.
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
