/** Stores the data set that a command names by its file. */

import { type Datasets, openDatasets } from '../client/open-datasets.js';
import { Failure } from '../core/failure.js';
import type { GivenOptions } from '../evaluation/dataset/given-questions.js';
import type { CliContext } from './context.js';
import { fileOf } from './dataset-flag.js';

/**
 * What the input of a run or a job names the data set by. A file is stored for it.
 *
 * @throws Failure BadInput for a bad file, naming the place: nothing is stored then.
 */
export async function storedDataset<D extends string | object[]>(
  dataset: D,
  options: GivenOptions,
  context: CliContext,
): Promise<D | string> {
  const file = fileOf(dataset);
  if (file !== undefined) {
    const { signal } = context;
    const stored = await withDatasets(context, ({ put }) => put(file, { ...options, signal }));
    return stored.dataset;
  }
  const { as, fields, kind } = options;
  const isRead = typeof dataset === 'string';
  if (!isRead || (as ?? fields ?? kind) === undefined) return dataset;
  throw new Failure(
    'BadInput',
    '--as, --fields, --kind: have no effect on a data set of the store, which has been read',
  );
}

/** Works with the data sets of the store. */
export async function withDatasets<T>(
  { env, config }: CliContext,
  work: (datasets: Datasets) => Promise<T>,
): Promise<T> {
  const datasets = await openDatasets(env, config);
  try {
    return await work(datasets);
  } finally {
    await datasets.close();
  }
}
