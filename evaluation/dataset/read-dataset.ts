/** Streams the questions of a data set: those of a file, or questions that were given as they are. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { numberedBy } from '../../files/records/delimited.js';
import type { Entry } from '../../files/records/entry.js';
import { readRecords } from '../../files/records/read-records.js';
import { beirFiles, datasetFile, readBeir } from './beir.js';
import { type ChosenRecord, datasetReader, type ReadAs } from './choose-dataset.js';
import { BadRecord } from './define-dataset.js';
import type { RecordOptions } from './read-record.js';

export interface ReadOptions extends RecordOptions, ReadAs {
  signal?: AbortSignal | undefined;
  /** Is told how each record was read. */
  onRecord?: ((record: ChosenRecord) => void) | undefined;
}

/**
 * The questions in the order of the file. Never holds more than one of them and the ids seen.
 *
 * @throws Failure BadInput when the file cannot be read, is empty or damaged, or has an id twice,
 * and for a bad record, naming file, place and field.
 * @example for await (const { id, question } of readDataset('nq.jsonl.gz')) …
 */
export function readDataset(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<DatasetRecord> {
  const refuse = (what: string) => datasetFile(file).refuse(what);
  return questionsIn(readEntries(file, options), refuse, options);
}

async function* readEntries(file: string, { signal, fields = {} }: ReadOptions) {
  const source = datasetFile(file, signal);
  try {
    const beir = await beirFiles(file);
    if (beir) yield* readBeir(beir, signal);
    else yield* readRecords(source, { headless: numberedBy(Object.values(fields)) });
  } catch (error) {
    throw source.explained(error);
  }
}

/** The questions that a list holds. @throws Failure BadInput as `readDataset`. */
export function readGiven(
  values: readonly unknown[],
  options: ReadOptions,
): AsyncGenerator<DatasetRecord> {
  const entries = values.map((value, i) => ({ value, place: `dataset[${i}]` }));
  return questionsIn(entries, (what) => new Failure('BadInput', what), options);
}

async function* questionsIn(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  refuse: (what: string) => Failure,
  { onRecord, ...options }: ReadOptions,
): AsyncGenerator<DatasetRecord> {
  const read = datasetReader(options);
  const places = new Map<string, string>();
  for await (const { value, key, place } of entries) {
    const record = attempt(() => read(value, key), place);
    onRecord?.(record);
    for (const question of record.questions) {
      const first = places.get(question.id);
      if (first === place) throw refuse(`${place} has an id twice`);
      if (first !== undefined) throw refuse(`${first} and ${place} have the same id`);
      places.set(question.id, place);
      yield question;
    }
  }
  if (places.size === 0) throw refuse('holds no question: it is empty');

  function attempt<T>(step: () => T, place: string): T {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      throw refuse(`${place} is no question: ${error.message}`);
    }
  }
}
