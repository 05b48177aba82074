/** LanceDB: loaded on demand, one table a build, one tokenizer. */
import type { Connection, FtsOptions, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { importPart } from '../../stores/optional-parts.js';

/** The one table of a build. */
export const TABLE = 'passages';

/**
 * The tokenizer. Stop words are in the index, for questions of stop words only; other queries leave
 * them out. Positions serve phrase queries only.
 */
export const TOKENIZER = {
  baseTokenizer: 'simple',
  language: 'English',
  lowercase: true,
  stem: true,
  removeStopWords: false,
  asciiFolding: true,
  maxTokenLength: 40,
  withPosition: false,
} satisfies Partial<FtsOptions>;

/** The tokenizer of the column of words that we cut: each is a term. */
const WORD_TOKENIZER = {
  ...TOKENIZER,
  baseTokenizer: 'whitespace',
  stem: false,
  asciiFolding: false,
} satisfies Partial<FtsOptions>;

/** A row of the table. `body` is the searched text: title, a line break and text. */
export interface PassageRow {
  /** Line order in the corpus; breaks ties. */
  position: number;
  id: string;
  /** The id in the corpus file, if that of the row is another; see `CorpusEntry`. */
  document: string | null;
  title: string;
  body: string;
  /** The length of the body in words, without stop words. */
  length: number;
  /**
   * Words of the body in scripts without spaces (Chinese, Japanese, Thai), separated by spaces;
   * null if there are none.
   */
  apart: string | null;
  /** Vector of the body; only in an index with vectors. */
  vector?: number[];
}

/** Number of passages from which dense search reads only the nearest parts of the index. */
const PARTITIONED_FROM = 100_000;
/** Number of parts that a search reads. */
export const PROBES = 32;

/** Loads the library when it is first needed: its binary is 190 MB and most commands do without. */
export async function loadLance(): Promise<typeof import('@lancedb/lancedb')> {
  // Its writer warns on standard error about every new table; must be set before the binary loads.
  process.env.LANCEDB_LOG ??= 'error';
  return importPart('lancedb', '@lancedb/lancedb');
}

/** Opens the database in a folder; the folder is made by the first table. */
export async function connect(folder: string): Promise<Connection> {
  const lance = await loadLance();
  return lance.connect(folder);
}

/** Returns the columns of a build's table; with `dimensions` also one for vectors. */
export async function passageSchema(dimensions?: number): Promise<Schema> {
  const { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } = await importPart<
    typeof import('apache-arrow')
  >('lancedb', 'apache-arrow');
  const columns = [
    new Field('position', new Int32(), false),
    new Field('id', new Utf8(), false),
    new Field('document', new Utf8(), true),
    new Field('title', new Utf8(), false),
    new Field('body', new Utf8(), false),
    new Field('length', new Int32(), false),
    new Field('apart', new Utf8(), true),
  ];
  if (dimensions === undefined) return new Schema(columns);
  const vector = new FixedSizeList(dimensions, new Field('item', new Float32(), true));
  return new Schema([...columns, new Field('vector', vector, false)]);
}

interface IndexOptions {
  passages: number;
  /** Whether the table has vectors. */
  vectors: boolean;
  /** @default PARTITIONED_FROM */
  partitionedFrom?: number | undefined;
}

/** Indexes a filled table for search (full text, vectors) and for get (ids). */
export async function indexTable(table: Table, options: IndexOptions): Promise<void> {
  const { passages, vectors, partitionedFrom = PARTITIONED_FROM } = options;
  const { Index } = await loadLance();
  await table.createIndex('body', { config: Index.fts(TOKENIZER) });
  await table.createIndex('apart', { config: Index.fts(WORD_TOKENIZER) });
  await table.createIndex('id', { config: Index.btree() });
  if (!vectors || passages < partitionedFrom) return;
  // No quantization: it saves memory but loses ranks.
  const numPartitions = Math.ceil(Math.sqrt(passages));
  await table.createIndex('vector', {
    config: Index.ivfFlat({ distanceType: 'cosine', numPartitions }),
  });
}
