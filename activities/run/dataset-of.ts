/** The data set that an input names, or brings, as it lies in the store. */

import type { Snapshot } from '../../core/dataset-record.js';
import type { RunSpec } from '../../core/run/input.js';
import { type GivenOptions, readGiven } from '../../evaluation/dataset/given-questions.js';
import type { Snapshots } from '../../evaluation/dataset/snapshots.js';
import { type ReadSubset, takeSubset } from '../../evaluation/dataset/subset.js';

/**
 * Questions that came with the input are put into the store: equal ones are there once.
 *
 * @throws Failure UnknownText where there is none of this name or hash; BadInput for a bad question.
 */
export async function snapshotOf(
  dataset: RunSpec['dataset'],
  options: GivenOptions,
  datasets: Snapshots,
): Promise<Snapshot> {
  if (typeof dataset === 'string') return datasets.find(dataset);
  return datasets.put(() => readGiven(dataset, options), 'input');
}

/** Reads parts of a data set of the store. */
export function readingOf(
  sha256: string,
  datasets: Pick<Snapshots, 'read'>,
  signal: AbortSignal,
): ReadSubset {
  async function* all() {
    for await (const record of datasets.read(sha256)) {
      signal.throwIfAborted();
      yield record;
    }
  }
  return (subset) => takeSubset(all, subset);
}
