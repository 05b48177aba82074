/** Streams the questions of a data set, all of them or a part that can be chosen again. */

import type { DatasetRecord, DatasetSurvey } from '../../core/dataset-record.js';
import { refuseDataset } from './bytes.js';
import { type ChosenRecord, datasetReader, type ReadAs } from './choose-dataset.js';
import { BadRecord } from './define-dataset.js';
import type { Entry } from './entry.js';
import { hashOrderSample } from './hash-order-sample.js';
import { readEntries } from './open-dataset.js';
import type { RecordOptions } from './read-record.js';

/** Which part of a data set is taken; all of it by default. */
export interface Subset {
  /** Only the first so many questions of the file, 1 or more. */
  limit?: number | undefined;
  /** Of those, so many drawn by the seed, 1 or more: see `hashOrderSample`. */
  sample?: number | undefined;
  /** @default 0 */
  seed?: string | number | undefined;
}

export interface ReadOptions extends Subset, RecordOptions, ReadAs {
  signal?: AbortSignal | undefined;
}

/**
 * The questions in the order of the file. Never holds more than one of them, the ids seen and the
 * ids of the sample; a sample reads the file twice, a limit no further than it has to.
 *
 * @throws Failure BadInput when the file cannot be read, is empty or damaged, or has an id twice,
 * and for a bad line, naming file, line and field; a RangeError for a bad subset.
 * @example for await (const { id, question } of readDataset('nq.jsonl.gz', { sample: 100 })) …
 */
export async function* readDataset(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<DatasetRecord> {
  for await (const { record } of readReadings(file, options)) yield record;
}

/** A question, and how it was read. */
export interface Reading extends Pick<ChosenRecord, 'dataset' | 'unused'> {
  record: DatasetRecord;
}

/** As `readDataset`, each with the data set that it was read by. */
export async function* readReadings(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<Reading> {
  checkSubset(options);
  const { limit, sample, seed = 0 } = options;
  const chosen =
    sample === undefined ? undefined : await hashOrderSample(ids(file, options), sample, seed);
  for await (const reading of readAll(file, { ...options, limit })) {
    if (chosen === undefined || chosen.has(reading.record.id)) yield reading;
  }
}

/** Checks every line of the file and says what is in it. @throws as `readDataset`. */
export async function surveyDataset(
  file: string,
  options: ReadOptions = {},
): Promise<DatasetSurvey> {
  checkSubset(options);
  const { limit = Infinity, sample = Infinity } = options;
  const records = readAll(file, { ...options, limit: undefined });
  const kinds: DatasetSurvey['kinds'] = {};
  let questions = 0;
  let step = await records.next();
  for (; !step.done; step = await records.next()) {
    questions++;
    const { answerKind } = step.value.record;
    kinds[answerKind] = (kinds[answerKind] ?? 0) + 1;
  }
  return {
    sha256: step.value,
    questions,
    selected: Math.min(questions, limit, sample),
    rule: ruleOf(options),
    kinds,
  };
}

function ruleOf({ limit, sample, seed = 0 }: Subset): string {
  const from = limit === undefined ? 'all questions' : `the first ${limit} questions of the file`;
  return sample === undefined
    ? from
    : `of ${from}, the ${sample} with the lowest sha256("${seed}|" + id), in the order of the file`;
}

async function* ids(file: string, options: ReadOptions): AsyncGenerator<string> {
  for await (const { record } of readAll(file, options)) yield record.id;
}

/** @returns the hash of the content, when the whole file was read. */
async function* readAll(
  file: string,
  { limit = Infinity, signal, as, fields, datasets, ...options }: ReadOptions,
): AsyncGenerator<Reading, string> {
  const read = datasetReader({ as, fields, datasets }, options);
  const places = new Map<string, number>();
  const entries = readEntries(file, signal);
  let step = await entries.next();
  for (; !step.done; step = await entries.next()) {
    const entry = step.value;
    const { questions, dataset, unused } = readEntry(file, entry, read);
    for (const record of questions) {
      const first = places.get(record.id);
      if (first !== undefined) throw refuseDataset(file, twice(entry, first));
      places.set(record.id, entry.number);
      yield { record, dataset, unused };
      if (places.size >= limit) {
        await entries.return('');
        return '';
      }
    }
  }
  if (places.size === 0) throw refuseDataset(file, 'holds no question: it is empty');
  return step.value;
}

function twice({ unit, number }: Entry, first: number): string {
  if (first === number) return `has an id twice in ${unit} ${number}`;
  return `${unit}s ${first} and ${number} have the same id`;
}

/** The questions of one value: one, or those of an article. */
function readEntry(
  file: string,
  { value, unit, number, key }: Entry,
  read: ReturnType<typeof datasetReader>,
): ChosenRecord {
  try {
    return read(value, key);
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    throw refuseDataset(file, `${unit} ${number} is no question: ${error.message}`);
  }
}

function checkSubset({ limit = 1, sample = 1 }: Subset): void {
  for (const [name, count] of Object.entries({ limit, sample })) {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new RangeError(`The ${name} must be a whole number from 1 on, not ${count}.`);
    }
  }
}
