/** Stores the data set that a command names by its file. */

import { checkCorpus, mayNeedCorpus } from '../activities/run/choose-questions.js';
import { type AskedDataset, readOptionsOf } from '../activities/run/dataset-of.js';
import { type Datasets, openDatasets } from '../client/open-datasets.js';
import { Failure } from '../core/failure.js';
import { type DatasetInput, splitReading, withDataset } from '../core/run/dataset-input.js';
import type { RunSpec } from '../core/run/input.js';
import { takeSubset } from '../evaluation/dataset/subset.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';
import { fileOf, localFile } from './dataset-flag.js';
import { methodsOf } from './own-methods.js';
import { readingNotes } from './run/describe-dataset.js';

/**
 * Returns the input of a run or a job with a reference to a stored data set. If the input names a
 * file or an address, its questions are stored first; an input that contains its questions is
 * returned unchanged.
 *
 * @throws Failure BadInput for a bad file, naming the place (nothing is stored then), and for
 * options of reading with a data set that is already stored.
 */
export async function storeInputDataset<I extends AskedDataset>(
  input: I,
  context: CliContext,
): Promise<Omit<I, keyof DatasetInput> & Pick<DatasetInput, 'dataset'>> {
  const { dataset } = input;
  const file = fileOf(dataset);
  if (file !== undefined) {
    // Fetched here, so that its progress is shown; `put` finds it in the home folder.
    await localFile(file, context);
    const options = { ...readOptionsOf(input), signal: context.signal };
    const stored = await withDatasets(context, ({ put }) => put(file, options));
    for (const note of readingNotes(stored)) context.reporter.part('Data', note);
    return withDataset(input, stored.dataset);
  }
  const hasReading = Object.values(splitReading(input).reading).some((one) => one !== undefined);
  if (typeof dataset !== 'string' || !hasReading) return input;
  throw new Failure(
    'BadInput',
    '--as, --fields, --kind, --split, --skip-bad: have no effect on a stored data set, which has already been read',
  );
}

/**
 * Throws if a run has questions that need a search and names no corpus. Reads the stored data sets;
 * those that are not in the store of this process are left to the workers.
 *
 * @throws Failure BadInput, naming the flag and the question.
 */
export async function checkCorpora(specs: readonly RunSpec[], context: CliContext): Promise<void> {
  const methods = methodsOf(context);
  const searching = specs.filter((spec) => mayNeedCorpus(spec, methods));
  if (searching.length === 0) return;
  await withDatasets(context, async ({ find, read }) => {
    for (const spec of searching) {
      const snapshot = await ifThere(find(String(spec.dataset)));
      if (snapshot === undefined) continue;
      await checkCorpus(spec, methods, (subset) => {
        return takeSubset(() => read(snapshot.sha256), subset);
      });
    }
  });
}

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Failure && error.type === 'UnknownText') return undefined;
    throw error;
  }
}

/** Calls `work` with the data sets of the store, returns its result, and closes the store. */
export function withDatasets<T>(
  { env, config }: CliContext,
  work: (datasets: Datasets) => Promise<T>,
): Promise<T> {
  return closing(openDatasets(env, config), work);
}
