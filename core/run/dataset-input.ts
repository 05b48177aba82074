/** The questions of a run or a job, as its input says which. */
import { z } from 'zod';

/** Bytes of questions that an input may bring: they stand in the history of its workflow. */
const MOST_BYTES = 1_000_000;

/** What it holds is read, and refused, where the questions are stored. */
const question: z.ZodType<object, object> = z.looseObject({});

export const datasetInput = z
  .union([z.string().min(1), z.array(question).min(1)], {
    error: 'must be the name of a data set, its hash, or a list of questions',
  })
  .refine((dataset) => typeof dataset === 'string' || bytesOf(dataset) <= MOST_BYTES, {
    error: 'holds more than a megabyte: put the questions into the store, and name them',
  })
  .describe('name or hash of stored questions, or questions themselves; see docs/datasets.md');

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** A data set in a line for people. */
export function datasetLabel(dataset: string | readonly unknown[]): string {
  return typeof dataset === 'string' ? dataset : `${dataset.length} questions`;
}
