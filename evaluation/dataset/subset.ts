/** Takes a part of a data set that can be chosen again. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { hashOrderSample } from './hash-order-sample.js';

/** Which part of a data set is taken; all of it by default. */
export interface Subset {
  /** Only the first so many questions, 1 or more. */
  limit?: number | undefined;
  /** Of those, so many drawn by the seed, 1 or more: see `hashOrderSample`. */
  sample?: number | undefined;
  /** @default 0 */
  seed?: string | number | undefined;
}

/** Gives the questions of a part of a data set, in their order. */
export type ReadSubset = (subset: Subset) => AsyncIterable<DatasetRecord>;

/**
 * The part of the questions, in their order. A sample goes through them twice; never more than the
 * ids of the sample are held.
 *
 * @param read The questions from the first one on, as often as it is called.
 */
export async function* takeSubset(
  read: () => AsyncIterable<DatasetRecord>,
  { limit = Infinity, sample, seed = 0 }: Subset,
): AsyncGenerator<DatasetRecord> {
  async function* first(): AsyncGenerator<DatasetRecord> {
    let taken = 0;
    for await (const record of read()) {
      yield record;
      if (++taken >= limit) return;
    }
  }
  async function* ids(): AsyncGenerator<string> {
    for await (const { id } of first()) yield id;
  }
  const chosen = sample === undefined ? undefined : await hashOrderSample(ids(), sample, seed);
  for await (const record of first()) {
    if (chosen === undefined || chosen.has(record.id)) yield record;
  }
}

/** How the subset is chosen, in words. */
export function ruleOf({ limit, sample, seed = 0 }: Subset): string {
  const from = limit === undefined ? 'all questions' : `the first ${limit} questions`;
  return sample === undefined
    ? from
    : `of ${from}, the ${sample} with the lowest sha256("${seed}|" + id), in their order`;
}

export function sizeOf({ limit = Infinity, sample = Infinity }: Subset, questions: number): number {
  return Math.min(questions, limit, sample);
}
