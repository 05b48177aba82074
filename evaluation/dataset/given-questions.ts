/** Reads questions that were given as they are, in place of a file of them. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { datasetReader, type ReadAs } from './choose-dataset.js';
import { BadRecord } from './define-dataset.js';
import type { RecordOptions } from './read-record.js';

/** How records are read. */
export interface GivenOptions extends RecordOptions, ReadAs {}

/** @throws Failure BadInput naming the place of one that is no question, or whose id is there twice. */
export async function* readGiven(
  values: readonly unknown[],
  { as, fields, datasets, ...options }: GivenOptions,
): AsyncGenerator<DatasetRecord> {
  const read = datasetReader({ as, fields, datasets }, options);
  const places = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    for (const record of questionsOf(value, i, read)) {
      const first = places.get(record.id);
      if (first !== undefined) {
        throw new Failure('BadInput', `dataset[${first}] and dataset[${i}] have the same id`);
      }
      places.set(record.id, i);
      yield record;
    }
  }
}

function questionsOf(
  value: unknown,
  i: number,
  read: ReturnType<typeof datasetReader>,
): DatasetRecord[] {
  try {
    return read(value).questions;
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    throw new Failure('BadInput', `dataset[${i}] is no question: ${error.message}`);
  }
}
