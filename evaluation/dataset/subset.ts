/** Selects a reproducible part of a data set. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { hashOrderSample } from './hash-order-sample.js';

/**
 * A selection of questions from a data set: the first `limit`, or a random `sample` of these or of
 * all; every question if neither is set.
 */
export interface Subset {
  /** Number of questions taken from the beginning, at least 1. */
  limit?: number | undefined;
  /**
   * Number of questions drawn from those that `limit` leaves, at least 1: see `hashOrderSample`.
   */
  sample?: number | undefined;
  /** Seed of the draw. @default 0 */
  seed?: string | number | undefined;
}

/**
 * A function that takes a selection and returns the selected questions of a data set, in their
 * order.
 */
export type ReadSubset = (subset: Subset) => AsyncIterable<DatasetRecord>;

/**
 * Yields the selected questions in their order. A sample reads the questions twice (with `limit`
 * only the first ones), and holds at most twice as many ids in memory as it draws.
 *
 * @param read Returns all questions; called once or twice.
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

/**
 * Returns the rule of a selection as text: "all questions", "the first 100 questions", or for a
 * sample "of all questions, the 50 with the lowest sha256("0|" + id), in their order".
 */
export function subsetRule({ limit, sample, seed = 0 }: Subset): string {
  const from = limit === undefined ? 'all questions' : `the first ${limit} questions`;
  return sample === undefined
    ? from
    : `of ${from}, the ${sample} with the lowest sha256("${seed}|" + id), in their order`;
}

/** Returns the number of questions that a subset has of a data set with `questions` questions. */
export function subsetSize(
  { limit = Infinity, sample = Infinity }: Subset,
  questions: number,
): number {
  return Math.min(questions, limit, sample);
}
