/** Streams the questions of a data set, from a file or from given questions. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { numberedBy } from '../../files/records/delimited.js';
import type { Entry } from '../../files/records/entry.js';
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

/** How the questions of a file are read. */
export interface ReadOptions extends RecordOptions, ReadAs {
  /** Whether records that are not questions are left out instead of refused. @default false */
  skipBad?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each record as it was read, and as the file has it. */
  onRecord?: ((record: ChosenRecord, value: unknown) => void) | undefined;
}

/** Counts of the unusual records of a file, for a note to the user. */
export interface ReadNotes {
  /** Records that were left out. */
  skipped: number;
  /** Questions with a number appended to their id, because the file repeats it. */
  numbered: number;
}

/** Questions in their order, and at the end what was noted. */
export type QuestionsRead = AsyncIterable<DatasetRecord, ReadNotes | undefined>;

/**
 * Yields the questions in the order of the file. Holds at most one question, the ids so far and 20
 * bad records in memory.
 *
 * @throws Failure BadInput if the file cannot be read, is empty or damaged, and for records that
 * are not questions or repeat an id. It names file, places and fields of the first three, and is
 * thrown once all have been counted.
 * @example for await (const { id, question } of readDataset('nq.jsonl.gz')) …
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
    else yield* readRecords(source, { headless: numberedBy(Object.values(fields)) });
  } catch (error) {
    throw source.explained(error);
  }
}

/** The questions that a list holds. @throws Failure BadInput as `readDataset`. */
export function readGiven(values: readonly unknown[], options: ReadOptions): QuestionsIn {
  const entries = values.map((value, i) => ({ value, place: `dataset[${i}]` }));
  return questionsIn(entries, (what) => new Failure('BadInput', what), options);
}

type QuestionsIn = AsyncGenerator<DatasetRecord, ReadNotes>;

async function* questionsIn(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  refuse: (what: string) => Failure,
  { onRecord, skipBad = false, ...options }: ReadOptions,
): QuestionsIn {
  const read = datasetReader(options);
  const places = new Map<string, string>();
  const notes = { skipped: 0, numbered: 0 };
  let records = 0;
  const bad: BadEntry[] = [];
  /** The highest number appended to each id. */
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
    // A file that is obviously no data set need not be read to its end.
    if (places.size === 0 && notes.skipped === HOPELESS) break;
  }
  if (notes.skipped > 0 && (!skipBad || places.size === 0)) throw refusal();
  if (places.size === 0) throw refuse('holds no question: it is empty');
  return notes;

  /** Returns the record as read; undefined for one that is not a question, which is noted. */
  function attempt(entry: Entry): ChosenRecord | undefined {
    try {
      return read(entry.value, entry.key);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      if (error instanceof AmbiguousRecord)
        throw refuse(`${entry.place} is no question: ${error.message}`);
      note({ entry });
      return undefined;
    }
  }

  /** An id that the file does not give gets a number, as two equal questions are two. */
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
      `has ${count} that cannot be taken: ${those.join('; ')}. --skip-bad (skipBad of a program) leaves them out`,
    );
  }

  /**
   * Returns the refusal of a file without readable records, with flags that would read all those
   * stored.
   */
  function allBad(): string {
    const entries = bad.map(({ entry }) => entry);
    const values = entries.map(({ value }) => value);
    return `${entries[0]?.place} is no question: ${read.refusal(values, entries[0]?.key)}`;
  }

  /** Returns what is wrong with a record, by the data set of the others. */
  function problemOf({ entry, said }: BadEntry): string {
    return said ?? `${entry.place} is no question: ${read.refusal([entry.value], entry.key)}`;
  }
}

/** A record that is not taken. */
interface BadEntry {
  entry: Entry;
  /**
   * What is wrong; absent if it is the record itself, which is explained once the others are known.
   */
  said?: string;
}

function sameId(first: string | undefined, place: string): string {
  return first === place ? `${place} has an id twice` : `${first} and ${place} have the same id`;
}

/** Bad records that are named, and those stored to find flags that would read them. */
const NAMED = 3;
const KEPT = 20;

/** Number of bad records at the beginning after which the file counts as no data set. */
const HOPELESS = 1000;
