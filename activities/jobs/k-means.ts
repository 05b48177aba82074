/**
 * K-means in a thread of its own: minutes of arithmetic must not hold up the heartbeats of
 * whatever else the worker does.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Code as a text, since a file would have another name in the build than in the source. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { library, vectors, clusters, options } = workerData;
import(library).then(({ kmeans }) => {
  parentPort.postMessage(kmeans(vectors, clusters, options).clusters);
});`;

const library = pathToFileURL(createRequire(import.meta.url).resolve('ml-kmeans')).href;

/**
 * The cluster of each vector, from 0. Starts from k-means++ and takes at most 300 rounds, as the
 * authors' run did; the same vectors and seed give the same clusters.
 *
 * @param vectors at least as many as `clusters`, all of the same length.
 */
export function kMeans(
  vectors: readonly (readonly number[])[],
  clusters: number,
  seed: number,
  signal: AbortSignal,
): Promise<number[]> {
  return new Promise((done, fail) => {
    signal.throwIfAborted();
    const options = { seed, initialization: 'kmeans++', maxIterations: 300 };
    const workerData = { library, vectors, clusters, options };
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
      fail(new Error('The thread that clustered has ended without a result.'));
    });
  });
}
