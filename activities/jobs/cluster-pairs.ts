/**
 * Clusters the question-document pairs and stores the demonstrations of each cluster (GenRead
 * 3.2.2, steps 2-3).
 */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { QuestionDocument, SetOrigin } from '../../core/demonstration-sets.js';
import { Failure } from '../../core/failure.js';
import { sampler } from '../../core/sampler.js';
import type { ClusteredPairs, ClusterPairsInput } from '../../workflows/activities/clusters.js';
import type { Ports } from '../runtime/ports.js';
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

/** The thread's code as a text, because a file has another name in the build than in the source. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { library, vectors, clusters, seeds, options } = workerData;
import(library).then(({ kmeans }) => {
  let best;
  for (const seed of seeds) {
    const found = kmeans(vectors, clusters, { ...options, seed });
    let inertia = 0;
    for (const { error, size } of found.computeInformation(vectors)) {
      if (size > 0) inertia += error * size;
    }
    if (!best || inertia < best.inertia) best = { labels: found.clusters, inertia };
  }
  parentPort.postMessage(best.labels);
});`;

/**
 * Starts of k-means, of which the best is taken. scikit-learn, which the authors used, had this
 * default (n_init = 10).
 */
const STARTS = 10;

const library = pathToFileURL(createRequire(import.meta.url).resolve('ml-kmeans')).href;

/**
 * Returns the cluster of each vector, counted from 0. Of ten starts by k-means++ (at most 300
 * rounds each) it takes the one with the smallest distance of the vectors from their centroids, as
 * in the authors' run. The same vectors and seed give the same clusters.
 *
 * @param vectors At least as many as `clusters`, all of the same length.
 */
export function kMeans(
  vectors: readonly (readonly number[])[],
  clusters: number,
  seed: number,
  signal: AbortSignal,
): Promise<number[]> {
  return new Promise((done, fail) => {
    signal.throwIfAborted();
    const options = { initialization: 'kmeans++', maxIterations: 300 };
    // The starts of two seeds never overlap.
    const seeds = Array.from({ length: STARTS }, (_, i) => seed * STARTS + i);
    const workerData = { library, vectors, clusters, seeds, options };
    const thread = new Worker(THREAD, { eval: true, workerData });
    const stop = () => {
      fail(signal.reason);
      thread.terminate().catch(fail);
    };
    signal.addEventListener('abort', stop, { once: true });
    thread.once('message', done);
    thread.once('error', fail);
    thread.once('exit', () => {
      signal.removeEventListener('abort', stop);
      fail(new Error('The clustering thread ended without a result.'));
    });
  });
}
