/** Streams the questions of a data set, all of them or a part that can be chosen again. */

import { refuseDataset } from './bytes.js';
import type { Entry } from './entry.js';
import { hashOrderSample } from './hash-order-sample.js';
import { BadField } from './line.js';
import { flatten } from './nested.js';
import { readEntries } from './open-dataset.js';
import { type Reading, type RecordOptions, readLine } from './read-record.js';
import type { AnswerKind, DatasetRecord } from './record.js';
import { nearestShape } from './shapes.js';

/** Which part of a data set is taken; all of it by default. */
export interface Subset {
  /** Only the first so many questions of the file, 1 or more. */
  limit?: number | undefined;
  /** Of those, so many drawn by the seed, 1 or more: see `hashOrderSample`. */
  sample?: number | undefined;
  /** @default 0 */
  seed?: string | number | undefined;
}

export interface ReadOptions extends Subset, RecordOptions {
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

/** As `readDataset`, each with the fields that it was read from. */
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

/** What a manifest says of a data set. */
export interface DatasetSurvey {
  /** SHA-256 of the uncompressed content, hexadecimal. */
  sha256: string;
  /** Questions in the whole file. */
  questions: number;
  /** Questions of the subset. */
  selected: number;
  /** How the subset was chosen, in words. */
  rule: string;
  /** Questions of the whole file by kind of answer. */
  kinds: Partial<Record<AnswerKind, number>>;
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
  { limit = Infinity, signal, ...options }: ReadOptions,
): AsyncGenerator<Reading, string> {
  const places = new Map<string, number>();
  const entries = readEntries(file, signal);
  let step = await entries.next();
  for (; !step.done; step = await entries.next()) {
    const entry = step.value;
    for (const reading of readEntry(file, entry, options)) {
      const { id } = reading.record;
      const first = places.get(id);
      if (first !== undefined) {
        throw refuseDataset(file, twice(entry, first));
      }
      places.set(id, entry.number);
      yield reading;
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
function* readEntry(
  file: string,
  { value, unit, number, key, cells }: Entry,
  options: RecordOptions,
): Generator<Reading> {
  const refuse = (problem: string, refused: unknown) =>
    refuseDataset(file, `${unit} ${number} is no question: ${problem}. ${nearestShape(refused)}`);
  let flat: ReturnType<typeof flatten>;
  try {
    flat = flatten(value);
  } catch (error) {
    throw error instanceof BadField ? refuse(error.message, value) : error;
  }
  for (const { value: one, path } of flat) {
    const reading = readLine(one, { ...options, key, cells });
    if ('problem' in reading) throw refuse(`${path}${reading.problem}`, one);
    yield reading;
  }
}

function checkSubset({ limit = 1, sample = 1 }: Subset): void {
  for (const [name, count] of Object.entries({ limit, sample })) {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new RangeError(`The ${name} must be a whole number from 1 on, not ${count}.`);
    }
  }
}
