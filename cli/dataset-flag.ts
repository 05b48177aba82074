/**
 * Resolves `--dataset`: a file or an address, which the command stores, or the name of a stored data
 * set.
 */
import { isAbsolute, resolve } from 'node:path';
import { isDataAddress } from '../files/data-address.js';
import type { FetchedData } from '../files/fetch-data.js';
import { sampleFiles } from '../retrieval/sample-corpus.js';
import type { ProgressReport } from '../temporal-dev/reporter.js';
import type { CliContext } from './context.js';

const STORED = 'stored:';
/** Name of the sample questions in the package, and of the corpus for them. */
const SAMPLE = 'sample';

/**
 * Returns the value of `--dataset` as the input's field: for "sample" the path of the sample
 * questions, for "stored:NAME" the name, an address unchanged, and for any other file its absolute
 * path.
 */
export function datasetFlag(value: string): string {
  if (value.startsWith(STORED)) return value.slice(STORED.length);
  return value === SAMPLE ? sampleFiles().questions : pathOf(value);
}

/**
 * Returns the absolute path of a file; an address is returned unchanged.
 *
 * @param folder Folder to which a relative path is relative. @default the working directory
 */
export function pathOf(named: string, folder = '.'): string {
  return isDataAddress(named) ? named : resolve(folder, named);
}

/**
 * Returns the path or address in a data set field; undefined if the field names a stored data set
 * or contains the questions themselves.
 */
export function fileOf(dataset: string | readonly object[]): string | undefined {
  if (typeof dataset !== 'string') return undefined;
  return isAbsolute(dataset) || isDataAddress(dataset) ? dataset : undefined;
}

/**
 * Returns, as `file`, the path of a file on this machine. A local path is returned unchanged. A
 * file at an address is first downloaded into the home folder, unless it is there already; then
 * `source` tells its address, revision, size, hash and time. Shows a progress bar if the size is
 * known.
 *
 * @throws Failure as `fetchData`.
 */
export async function localFile(
  named: string,
  { env, reporter, signal }: Pick<CliContext, 'env' | 'reporter' | 'signal'>,
): Promise<{ file: string } & Partial<FetchedData>> {
  if (!isDataAddress(named)) return { file: named };
  // Loaded here, since most commands fetch nothing.
  const { fetchData } = await import('../files/fetch-data.js');
  let progress: ProgressReport | undefined;
  try {
    return await fetchData(named, {
      env,
      signal,
      onStart: (what) => reporter.part('Data', what),
      onProgress: (done, size) => {
        if (size === undefined) return;
        progress ??= reporter.progress('Data', size);
        progress.update(done);
      },
    });
  } finally {
    progress?.finish();
  }
}
