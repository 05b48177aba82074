/** Reads a corpus file passage by passage, in the same formats as files of questions. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../core/is-object.js';
import type { Passage } from '../core/vocabulary.js';
import { columnNumbers, numberedColumns, type TableOptions } from '../files/records/delimited.js';
import type { FileEntry } from '../files/records/entry.js';
import { readRecords } from '../files/records/read-records.js';
import { type RecordKind, SourceFile } from '../files/records/source-file.js';
import {
  BadPassage,
  type CorpusFields,
  fieldNamesText,
  kindOf,
  knownFields,
  passageOf,
  suggestedMapping,
} from './corpus-record.js';
import { PassageIds } from './passage-ids.js';

const CORPUS: RecordKind = {
  noun: 'corpus',
  accepted:
    'a corpus is JSON Lines, a JSON list, CSV, TSV or Parquet, plain or gzip: see docs/search-engines.md',
  otherwise: '',
  lists: new Set(['data', 'passages', 'documents', 'docs', 'corpus']),
};

/** A passage of a corpus file, with its place in the file. */
interface CorpusEntry {
  passage: Passage;
  /** Its id in the file, if an earlier passage has the same id, so that its own id got a number. */
  document?: string;
  /** Place in messages, counted from 1: "line 3", "record 2", "row 7". */
  place: string;
}

interface CorpusOptions {
  /** Paths of the fields; the known names if left out: see `knownFields`. */
  fields?: CorpusFields | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * One pass over a corpus file: an iterable of its passages, which can be iterated once, and figures
 * about the file that change during the pass.
 */
export interface CorpusReader extends AsyncIterable<CorpusEntry> {
  /** Base name of the file. */
  readonly source: string;
  /** Size of the file on the disk, in bytes. */
  readonly totalBytes: number;
  /** Number of bytes read so far, of the size on the disk. */
  readonly bytesRead: number;
  /** Detected format, such as "TSV without a header"; complete at the end of the pass. */
  readonly format: string;
  /** Paths of the fields that are read; known at the end of the pass. */
  readonly fields: CorpusFields;
  /** Number of passages so far whose id an earlier passage has. */
  readonly repeatedIds: number;
  /**
   * Returns the SHA-256 of the unpacked file, in hexadecimal digits. Must be called at the end of
   * the pass.
   */
  sha256(): string;
}

/**
 * Opens a corpus file, and returns a reader, which yields its passages. Format and gzip are
 * detected from the content, not from the name. The memory used is limited to a few buffers, plus
 * 24 to 48 bytes per passage for the ids.
 *
 * @throws Failure BadInput if the file cannot be read; during iteration also for a bad record
 * (with file, place, field), a file without passages, and a damaged file.
 */
export async function openCorpusFile(
  file: string,
  { fields: given, signal }: CorpusOptions = {},
): Promise<CorpusReader> {
  const source = new SourceFile(file, CORPUS, signal);
  const totalBytes = await sizeOf(source);
  const ids = new PassageIds();
  let fields = given;
  const table: TableOptions = {
    asTexts: true,
    headless(first, delimiter) {
      if (given) return numberedColumns(Object.values(given))(first);
      fields = knownFields(first.map((name) => name.trim()));
      if (fields || delimiter !== '\t' || !isPassage(first)) return undefined;
      fields = positions(source, first);
      return columnNumbers(first);
    },
    columns(names) {
      const { title = '', ...needed } = given ?? knownFields(names) ?? {};
      const roots = Object.values(needed).map(rootOf);
      // If one is missing, all are read, so that the message can name them.
      const areThere = roots.length > 0 && roots.every((name) => names.includes(name));
      return areThere ? names.filter((name) => [...roots, rootOf(title)].includes(name)) : names;
    },
  };

  function read(entry: FileEntry): Passage {
    try {
      if (!isObject(entry.value)) throw new BadPassage(`is ${kindOf(entry.value)}, not an object`);
      fields ??= knownFields(Object.keys(entry.value), entry.key !== undefined);
      if (!fields) throw new BadPassage(unknown(entry.value, source.format));
      return passageOf(entry, fields);
    } catch (error) {
      if (!(error instanceof BadPassage)) throw error;
      throw source.refuse(`is ${source.format}, and ${entry.place} ${error.message}`);
    }
  }

  return {
    source: path.basename(file),
    totalBytes,
    get bytesRead() {
      return source.bytesRead;
    },
    get format() {
      return source.format;
    },
    get fields() {
      return fields ?? {};
    },
    get repeatedIds() {
      return ids.repeated;
    },
    sha256: () => source.sha256(),
    async *[Symbol.asyncIterator]() {
      let isEmpty = true;
      for await (const entry of readRecords(source, table)) {
        isEmpty = false;
        const passage = read(entry);
        const id = ids.distinct(passage.id);
        const { place } = entry;
        if (id === passage.id) yield { passage, place };
        else yield { passage: { ...passage, id }, document: passage.id, place };
      }
      if (isEmpty) throw source.refuse('contains no passages');
    },
  };
}

async function sizeOf(source: SourceFile): Promise<number> {
  try {
    const found = await stat(source.path);
    if (found.isDirectory()) throw source.refuse('is a folder: name a file in it');
    return found.size;
  } catch (error) {
    throw source.explained(error);
  }
}

function rootOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? '';
}

/** Pattern of column names; a number or a sentence is not one. */
const NAME = /^[\p{L}_][\p{L}\d _:/-]{0,63}$/u;

/**
 * Returns whether the first row of a TSV file is a passage of DPR (id, text, title) or MS MARCO
 * (id, text), and no header.
 */
function isPassage(first: readonly string[]): boolean {
  return (first.length === 2 || first.length === 3) && !first.every((cell) => NAME.test(cell));
}

function positions(source: SourceFile, [, text = '', title = '']: readonly string[]): CorpusFields {
  if (title.length > text.length) {
    throw source.refuse(
      'is TSV without a header, which is read as id, text, title, but in line 1 the third column is longer than the second. If the title comes first, use --fields id=1,text=3,title=2',
    );
  }
  return { id: '1', text: '2', ...(title !== '' && { title: '3' }) };
}

/**
 * Returns the error message about a record in an unknown form: its fields, and a suggested mapping.
 */
function unknown(record: Readonly<Record<string, unknown>>, format: string): string {
  const isTable = format === 'TSV' || format === 'CSV';
  const header = isTable
    ? '. If line 1 is a passage and not a header, number the columns: --fields id=1,text=2,title=3'
    : '';
  return `has the fields ${fieldNamesText(record)}. Known names are id or _id with title and text, or id with contents. Name the fields: --fields ${suggestedMapping(record)}${header}`;
}
