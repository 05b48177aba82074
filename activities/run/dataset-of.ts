/** Finds the data set that an input names, or stores the questions that came with it. */

import type { Snapshot } from '../../core/dataset-record.js';
import { methodNamed } from '../../core/method-registry.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import {
  type DatasetInput,
  type DatasetReading,
  splitReading,
  withDataset,
} from '../../core/run/dataset-input.js';
import type { RunSpec, StoredRunSpec } from '../../core/run/input.js';
import { type ReadOptions, readGiven } from '../../evaluation/dataset/read-dataset.js';
import { type Snapshots, snapshotRef } from '../../evaluation/dataset/snapshots.js';
import { type ReadSubset, takeSubset } from '../../evaluation/dataset/subset.js';
import type { Ports } from '../runtime/ports.js';

/**
 * The data set of an input: the name or hash of a stored one, or questions that come with the input
 * and how to read them. `requireAnswers` is whether each question must have a gold answer; default
 * true.
 */
export type AskedDataset = DatasetInput & { requireAnswers?: boolean | undefined };

/**
 * The store of data sets, and the custom data sets by which questions that come with an input can
 * be read.
 */
export type DatasetPorts = Pick<Ports, 'datasets' | 'ownDatasets'>;

/**
 * Returns the options for reading the questions that came with an input: their format and fields,
 * and whether each must have a gold answer.
 */
export function readOptionsOf(
  input: DatasetReading & { requireAnswers?: boolean | undefined },
): ReadOptions {
  return { scorable: input.requireAnswers ?? true, ...splitReading(input).reading };
}

/**
 * Returns the description of the data set of an input as it is stored: its hash, file name and
 * numbers of questions. Questions that came with the input are stored first; equal data sets only
 * once.
 *
 * @throws Failure UnknownText if there is none of this name or hash; BadInput for a bad question.
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

/**
 * Returns the input of a run with its stored data set, named by its hash. Sets the search mode to
 * BM25 if the input names none, has no noise, and its method searches the questions' own passages,
 * which are in no order of relevance.
 */
export function withStoredDataset(
  given: RunSpec,
  snapshot: Snapshot,
  { methods }: Pick<Ports, 'methods'>,
): StoredRunSpec {
  const spec = withDataset(given, snapshotRef(snapshot));
  const { mode, noise, ownPassages, method, options } = spec;
  // Noise chooses passages in its own order.
  const isAsked = ownPassages && !noise && !searchesNothing(methodNamed(method, methods), options);
  const isRanked = mode !== undefined || !snapshot.unranked || !isAsked;
  return isRanked ? spec : { ...spec, mode: 'bm25' };
}

/**
 * Returns a function that yields the records of a subset of a stored data set.
 *
 * @param sha256 Hash of the data set.
 * @param signal Aborts the reading.
 */
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
