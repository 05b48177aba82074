/** Streams the questions of a data set, from a file or from a list. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { numberedColumns } from '../../files/records/delimited.js';
import type { FileEntry } from '../../files/records/entry.js';
import { readRecords } from '../../files/records/read-records.js';
import { beirFiles, datasetFile, readBeir } from './beir.js';
import {
  AmbiguousRecord,
  type ChosenRecord,
  datasetReader,
  type ReadAs,
} from './choose-dataset.js';
import { BadRecord } from './define-dataset.js';
import { contentId, type RecordOptions } from './read-record.js';

/**
 * Options for reading the questions of a data set: how records are read, and what happens with bad
 * ones.
 */
export interface ReadOptions extends RecordOptions, ReadAs {
  /** Whether records that are not questions are skipped instead of refused. @default false */
  skipBad?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each record as it was read, and with its value in the file. */
  onRecord?: ((record: ChosenRecord, value: unknown) => void) | undefined;
}

/**
 * The number of records and questions of a file that were left out, and the number of repeated
 * questions whose id got a number.
 */
export interface ReadNotes {
  /** Number of records and questions that were left out. */
  skipped: number;
  /**
   * Number of questions of files without ids to whose id a number was added, because an earlier
   * question is the same.
   */
  numbered: number;
}

/** The questions of a data set in their order. The iterator's return value has the notes. */
export type QuestionsRead = AsyncIterable<DatasetRecord, ReadNotes | undefined>;

/**
 * Yields the questions of a file in its order, and returns notes about unusual records at the end.
 * From the first bad record on it yields no more, unless `skipBad` is set. Holds one record, all
 * ids and 20 bad records in memory; for a BEIR folder also the relevant passages.
 *
 * @throws Failure BadInput for invalid options, and if the file cannot be read, is empty or
 * damaged, or a record fits two data sets that read it differently. Also for records that are not
 * questions or repeat an id, with the first three of them and their number: at the end, and with
 * `skipBad` only if no question is left.
 * @example
 * for await (const { id, question } of readDataset('nq.jsonl.gz')) console.log(id, question);
 */
export function readDataset(file: string, options: ReadOptions = {}): QuestionsIn {
  const refuse = (what: string) => datasetFile(file).refuse(what);
  return questionsIn(readEntries(file, options), refuse, options);
}

async function* readEntries(file: string, { signal, fields = {} }: ReadOptions) {
  const source = datasetFile(file, signal);
  try {
    const beir = await beirFiles(file);
    if (beir) yield* readBeir(beir, signal);
    else yield* readRecords(source, { headless: numberedColumns(Object.values(fields)) });
  } catch (error) {
    throw source.explained(error);
  }
}

/**
 * Yields the questions of an array of records, as `readDataset` does those of a file.
 *
 * @throws Failure BadInput as `readDataset`.
 */
export function readGiven(values: readonly unknown[], options: ReadOptions): QuestionsIn {
  const entries = values.map((value, i) => ({ value, place: `dataset[${i}]` }));
  return questionsIn(entries, (what) => new Failure('BadInput', what), options);
}

type QuestionsIn = AsyncGenerator<DatasetRecord, ReadNotes>;

async function* questionsIn(
  entries: Iterable<FileEntry> | AsyncIterable<FileEntry>,
  refuse: (what: string) => Failure,
  { onRecord, skipBad = false, ...options }: ReadOptions,
): QuestionsIn {
  const read = datasetReader(options);
  const places = new Map<string, string>();
  const notes = { skipped: 0, numbered: 0 };
  let records = 0;
  const bad: BadEntry[] = [];
  /** Highest number appended to each id. */
  const last = new Map<string, number>();

  function note(one: BadEntry): void {
    notes.skipped++;
    if (bad.length < KEPT) bad.push(one);
  }

  for await (const entry of entries) {
    records++;
    const record = attempt(entry);
    const questions: DatasetRecord[] = [];
    for (const question of record?.questions ?? []) {
      const first = places.get(question.id);
      const id = first === undefined ? question.id : numbered(question);
      if (id === undefined) {
        note({ entry, said: sameId(first, entry.place) });
        continue;
      }
      if (id !== question.id) notes.numbered++;
      places.set(id, entry.place);
      questions.push({ ...question, id });
    }
    if (record) onRecord?.({ ...record, questions }, entry.value);
    if (notes.skipped === 0 || skipBad) yield* questions;
    // Stop early if the file is obviously not a data set.
    if (places.size === 0 && notes.skipped === HOPELESS) break;
  }
  if (notes.skipped > 0 && (!skipBad || places.size === 0)) throw refusal();
  if (places.size === 0) throw refuse('is empty: it has no question');
  return notes;

  /** Returns the record as read; undefined, with a note, if it is not a question. */
  function attempt(entry: FileEntry): ChosenRecord | undefined {
    try {
      return read(entry.value, entry.key);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      if (error instanceof AmbiguousRecord)
        throw refuse(`${entry.place} is not a question: ${error.message}`);
      note({ entry });
      return undefined;
    }
  }

  /** Returns the id with a number if the file has no ids, since equal questions count separately; else undefined. */
  function numbered({ id, question, answers }: DatasetRecord): string | undefined {
    if (id !== contentId(question, answers)) return undefined;
    let number = last.get(id) ?? 1;
    do number++;
    while (places.has(`${id}-${number}`));
    last.set(id, number);
    return `${id}-${number}`;
  }

  function refusal(): Failure {
    const shown = bad.slice(0, NAMED).map(problemOf);
    if (places.size === 0) return refuse(allBad());
    const { skipped } = notes;
    const more = skipped - shown.length;
    const those = [...shown, ...(more > 0 ? [`${more.toLocaleString('en-US')} more`] : [])];
    const count = `${skipped.toLocaleString('en-US')} of ${records.toLocaleString('en-US')} records`;
    return refuse(
      `has ${count} that cannot be read: ${those.join('; ')}. To leave them out, use --skip-bad (skipBad in a program)`,
    );
  }

  /**
   * Returns the refusal of a file without readable records, with flags that would read the remembered
   * ones.
   */
  function allBad(): string {
    const entries = bad.map(({ entry }) => entry);
    const values = entries.map(({ value }) => value);
    return `${entries[0]?.place} is not a question: ${read.refusal(values, entries[0]?.key)}`;
  }

  /** Returns what is wrong with a record, compared with the data set of the others. */
  function problemOf({ entry, said }: BadEntry): string {
    return said ?? `${entry.place} is not a question: ${read.refusal([entry.value], entry.key)}`;
  }
}

/** A record that is skipped or refused. */
interface BadEntry {
  entry: FileEntry;
  /**
   * The problem. Undefined if the record does not fit, which is explained once the others are
   * known.
   */
  said?: string;
}

function sameId(first: string | undefined, place: string): string {
  return first === place ? `${place} has an id twice` : `${first} and ${place} have the same id`;
}

/** Number of bad records that a message names, and of those remembered to find flags for them. */
const NAMED = 3;
const KEPT = 20;

/** Number of bad records at the beginning after which the file is taken for no data set. */
const HOPELESS = 1000;
