/** Streams the questions of a data set, all of them or a part that can be chosen again. */

import { hashOrderSample } from './hash-order-sample.js';
import { readJsonLines, refuseDataset } from './json-lines.js';
import { type RecordOptions, readRecord } from './read-record.js';
import type { AnswerKind, DatasetRecord } from './record.js';

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
  checkSubset(options);
  const { limit, sample, seed = 0 } = options;
  const chosen =
    sample === undefined ? undefined : await hashOrderSample(ids(file, options), sample, seed);
  for await (const record of readAll(file, { ...options, limit })) {
    if (chosen === undefined || chosen.has(record.id)) yield record;
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
    kinds[step.value.answerKind] = (kinds[step.value.answerKind] ?? 0) + 1;
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
  for await (const { id } of readAll(file, options)) yield id;
}

/** @returns the hash of the content, when the whole file was read. */
async function* readAll(
  file: string,
  { limit = Infinity, signal, ...options }: ReadOptions,
): AsyncGenerator<DatasetRecord, string> {
  const lines = new Map<string, number>();
  const values = readJsonLines(file, signal);
  let step = await values.next();
  for (; !step.done; step = await values.next()) {
    const { value, number } = step.value;
    const record = readRecord(value, options);
    if ('problem' in record) {
      throw refuseDataset(file, `line ${number} is no question: ${record.problem}`);
    }
    const first = lines.get(record.id);
    if (first !== undefined) {
      const id = JSON.stringify(record.id);
      throw refuseDataset(file, `lines ${first} and ${number} have the same id ${id}`);
    }
    lines.set(record.id, number);
    yield record;
    if (lines.size >= limit) {
      await values.return('');
      return '';
    }
  }
  if (lines.size === 0) throw refuseDataset(file, 'holds no question: it is empty');
  return step.value;
}

function checkSubset({ limit = 1, sample = 1 }: Subset): void {
  for (const [name, count] of Object.entries({ limit, sample })) {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new RangeError(`The ${name} must be a whole number from 1 on, not ${count}.`);
    }
  }
}
