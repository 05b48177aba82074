/** The answers that are there already, and those that are still to be asked for. */

import { canonicalJson } from '../../core/canonical-json.js';
import type { DatasetRecord } from '../../core/dataset-record.js';
import type { MethodResult } from '../../core/result.js';
import type { ResultStore } from '../../stores/runs/file-results.js';
import type { PlannedMethod } from './plan.js';

/** What is kept of a question that was put to a method. */
export interface Asked {
  result: MethodResult;
  /** From the start of the question to its result. */
  seconds: number;
  /** CPU seconds of the model's server in that time, on all cores; absent where it cannot be read. */
  modelCpuSeconds?: number | undefined;
  /** The name of the model. */
  model: string;
  /** ISO date of the day. */
  day: string;
}

/** A question of a row, with its answer where it has been asked. */
export interface Place {
  question: DatasetRecord;
  key: string;
  asked: Asked | undefined;
}

/** The questions of a row in order. Other options are other questions: nothing is kept of them. */
export function placesOf(
  { method, options, questions }: PlannedMethod,
  all: readonly DatasetRecord[],
  store: ResultStore<Asked>,
): Promise<Place[]> {
  return Promise.all(
    all.slice(0, questions).map(async (question) => {
      const key = `${method} ${question.id} ${canonicalJson(options)}`;
      return { question, key, asked: await store.get(key) };
    }),
  );
}
