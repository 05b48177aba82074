/**
 * Clusters the question-document pairs of a run and stores the demonstrations of each cluster
 * (GenRead 3.2.2, steps 2-3).
 */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { QuestionDocument, SetOrigin } from '../../core/demonstration-sets.js';
import { Failure } from '../../core/failure.js';
import { sampler } from '../../core/sampler.js';
import type { ClusterActivities } from '../../workflows/activities/clusters.js';
import type { ClusterJob, LeftOut } from '../../workflows/cluster-job.js';
import { manifestOf } from '../run/run-of.js';
import type { Ports } from '../runtime/ports.js';
import { type PairPorts, pairText, runPairs } from './run-pairs.js';

/**
 * Clusters the question-document pairs of a run by their vectors, and stores samples of each
 * cluster as a demonstration set. Returns the set's id and origin, the size of each cluster in
 * pairs, and the number of questions left out, by reason.
 *
 * @throws Failure BadInput if there are fewer pairs than clusters, or if a vector is not in the
 * store.
 */
export async function clusterPairs(
  job: ClusterJob,
  ports: PairPorts & Pick<Ports, 'demonstrationSets' | 'embeddings'>,
  signal: AbortSignal,
): ReturnType<ClusterActivities['clusterPairs']> {
  const { run, clusters: count, drawnFrom, seed } = job;
  const pairs: QuestionDocument[] = [];
  const leftOut: LeftOut = { failed: 0, empty: 0, withoutAnswer: 0 };
  for await (const { pair } of runPairs({ ...job, from: 0 }, ports)) {
    signal.throwIfAborted();
    if (typeof pair === 'object') pairs.push(pair);
    else leftOut[pair]++;
  }
  if (pairs.length < count) {
    throw new Failure(
      'BadInput',
      `clusters: ${count} clusters cannot be made of ${pairs.length} question-document pairs.`,
    );
  }
  const isOfAll = drawnFrom === 'allPairs';
  const sampled = isOfAll
    ? sampleAllPairs(pairs.length, job)
    : sampleClusters(await clustered(), job.pairs, seed);
  const clusters = sampled.map(({ size, members }) => ({
    size,
    pairs: members.flatMap((position) => pairs[position] ?? []),
  }));
  const { input, dataset, questions } = await manifestOf(run, ports.runs);
  const origin: SetOrigin = {
    run,
    method: input.method,
    embeddingModel: isOfAll ? null : ports.embeddings.model,
    ...(isOfAll && { drawnFrom: 'allPairs' }),
    clusters: count,
    pairs: job.pairs,
    seed,
    questions: dataset.file,
    questionsHash: dataset.sha256,
  };
  const set = { origin, size: pairs.length, clusters };
  const { id } = await ports.demonstrationSets.put(job.name, set);
  return { id, questions, leftOut, clusters: clusters.map(({ size }) => size), origin };

  async function clustered(): Promise<number[]> {
    const keys = pairs.map((pair) => ports.embeddings.keyOf(pairText(pair)));
    return kMeans(await ports.embeddings.get(keys), count, seed, signal);
  }
}

/**
 * Returns `clusters` samples of `pairs` pairs each, drawn from all pairs instead of from clusters
 * (GenRead table 11), as positions of the pairs.
 *
 * @param count Number of all pairs.
 */
export function sampleAllPairs(
  count: number,
  { clusters, pairs, seed }: Pick<ClusterJob, 'clusters' | 'pairs' | 'seed'>,
): SampledCluster[] {
  return Array.from({ length: clusters }, (_, k) => {
    const take = sampler(`${seed}/all-${k}`, pairs, count);
    const positions = Array.from({ length: count }, (__, position) => position);
    return { size: count, members: positions.filter(() => take()) };
  });
}

/** A cluster, or all pairs, with the pairs sampled from it. */
interface SampledCluster {
  /** Number of all its members. */
  size: number;
  /** Positions of the sampled members, ascending. */
  members: number[];
}

/**
 * Returns, for each cluster, the positions of `count` sampled pairs, or of all pairs of a smaller
 * cluster. The largest cluster comes first; of equal ones, the one with the earlier pair. Labels
 * without pairs are left out.
 *
 * @param labels Number of the cluster of each pair, by the pair's position.
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

/** Code of the thread as text, because its file would have another name in the build. */
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
 * Number of times that k-means starts; the best result is taken. It was the default (n_init) of
 * scikit-learn, which the authors used.
 */
const STARTS = 10;

const library = pathToFileURL(createRequire(import.meta.url).resolve('ml-kmeans')).href;

/**
 * Returns the number of the cluster of each vector, counted from 0, by k-means in a thread. Of ten
 * starts by k-means++, at most 300 rounds each, the one with the smallest sum of squared distances
 * is taken, as the authors did. The same vectors and seed give the same clusters.
 *
 * @param vectors At least as many as `clusters`, all of the same length.
 * @param signal Ends the thread; the promise is then rejected with its reason.
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
