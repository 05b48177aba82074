/**
 * Clusters vectors by k-means in a thread of its own: minutes of arithmetic would hold up the
 * heartbeats of the worker's other activities.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

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
