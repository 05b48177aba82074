/** The data set that an input names, or brings, as it lies in the store. */

import type { Snapshot } from '../../core/dataset-record.js';
import type { DatasetInput } from '../../core/run/dataset-input.js';
import { type ReadOptions, readGiven } from '../../evaluation/dataset/read-dataset.js';
import type { Snapshots } from '../../evaluation/dataset/snapshots.js';
import { type ReadSubset, takeSubset } from '../../evaluation/dataset/subset.js';
import type { Ports } from '../runtime/ports.js';

/** What an input says of its questions, and whether they are asked without gold answers as well. */
export type AskedDataset = DatasetInput & { requireAnswers?: boolean | undefined };

export type DatasetPorts = Pick<Ports, 'datasets' | 'ownDatasets'>;

/** How an input has its questions read where they are no data set of the store yet. */
export function readOptionsOf({ requireAnswers, as, fields, kind }: AskedDataset): ReadOptions {
  return { scorable: requireAnswers ?? true, as, fields, kind };
}

/**
 * Questions that came with the input are put into the store: equal ones are there once.
 *
 * @throws Failure UnknownText where there is none of this name or hash; BadInput for a bad question.
 */
export async function snapshotOf(
  input: AskedDataset,
  { datasets, ownDatasets }: DatasetPorts,
): Promise<Snapshot> {
  const { dataset } = input;
  if (typeof dataset === 'string') return datasets.find(dataset);
  const options = { ...readOptionsOf(input), datasets: ownDatasets };
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
