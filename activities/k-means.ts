/** Clusters vectors by k-means, in a thread of its own. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

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
export async function kMeans(
  vectors: readonly (readonly number[])[],
  clusters: number,
  seed: number,
  signal: AbortSignal,
): Promise<number[]> {
  const options = { initialization: 'kmeans++', maxIterations: 300 };
  // The starts of two seeds never overlap.
  const seeds = Array.from({ length: STARTS }, (_, i) => seed * STARTS + i);
  const workerData = { library, vectors, clusters, seeds, options };
  signal.throwIfAborted();
  const thread = new Worker(THREAD, { eval: true, workerData });
  try {
    const [labels] = await once(thread, 'message', { signal });
    return labels;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
  }
}
