/** What --dataset names: a file, which the command stores, or what is in the store. */
import { isAbsolute, resolve } from 'node:path';

const STORED = 'stored:';

/** The field of an input for `--dataset`: what stands behind `stored:`, else a file's whole path. */
export function datasetFlag(value: string): string {
  return value.startsWith(STORED) ? value.slice(STORED.length) : resolve(value);
}

/** The file that a command was given; names and hashes of data sets are no paths. */
export function fileOf(dataset: string | readonly object[]): string | undefined {
  return typeof dataset === 'string' && isAbsolute(dataset) ? dataset : undefined;
}
