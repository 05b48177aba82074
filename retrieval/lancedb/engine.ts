/** Loads LanceDB on demand, defines the table and the tokenizer of an index, and reads its rows. */
import type { Connection, FtsOptions, Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { importPart } from '../../stores/optional-parts.js';

/** Name of the table of passages in an index's LanceDB database. */
export const TABLE_NAME = 'passages';

/**
 * Settings of LanceDB's full-text tokenizer. Stop words are indexed for queries that consist of
 * stop words only; other queries leave them out. Positions are not stored, since only phrase
 * queries need them.
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

/** One passage as a row of an index's LanceDB table. */
export interface IndexedPassage {
  /** Position in the corpus file, from 0; breaks ties. */
  position: number;
  id: string;
  /** Id in the corpus file, if it differs; otherwise null. See `CorpusEntry`. */
  document: string | null;
  title: string;
  /** The searched text: the title, a line break and the text. */
  body: string;
  /** Length of the body in words, without stop words. */
  length: number;
  /**
   * Words of the body in scripts without spaces (Chinese, Japanese, Thai), separated by spaces;
   * null if there are none.
   */
  apart: string | null;
  /** Vector of the body; only in an index with vectors. */
  vector?: number[];
}

/**
 * Number of passages from which the vector index is partitioned, so that dense search is
 * approximate.
 */
const PARTITIONED_FROM = 100_000;
/** Number of partitions of the vector index that a dense search reads. */
export const SEARCHED_PARTITIONS = 32;

/**
 * Loads the LanceDB library and returns it. It is loaded at first use, since its binary has 190 MB
 * and most commands do not need it.
 */
export async function loadLance(): Promise<typeof import('@lancedb/lancedb')> {
  // Its writer warns on standard error about every new table; must be set before the binary loads.
  process.env.LANCEDB_LOG ??= 'error';
  return importPart('lancedb', '@lancedb/lancedb');
}

/**
 * Opens the LanceDB database in a folder, and returns the connection. The folder is created with
 * the first table.
 */
export async function connectLanceDb(folder: string): Promise<Connection> {
  const lance = await loadLance();
  return lance.connect(folder);
}

/**
 * Returns the Arrow schema of an index's LanceDB table.
 *
 * @param dimensions Length of the vectors; left out, the table has none.
 */
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

/**
 * Creates the LanceDB indexes of a filled table of passages: of their words and ids, and from
 * 100,000 passages also of their vectors, if they have any.
 */
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

type TextRow = Pick<IndexedPassage, 'id' | 'title' | 'body'>;

/**
 * Returns `id`, `title` and `body` (the title, a line break and the text) of the passages with the
 * given ids in a LanceDB table, in any order; missing ones are left out.
 */
export function rowsById(table: Table, ids: readonly string[]): Promise<TextRow[]> {
  const named = table.query().where(`id IN (${ids.map(quote).join(', ')})`);
  return selected<TextRow>(named.limit(ids.length), ['id', 'title', 'body']);
}

/**
 * Returns the rows of a LanceDB query as objects with the given columns only. They are read column
 * by column, since the library's own rows look up every value by column name, which takes five
 * times as long.
 */
export async function selected<R extends object>(
  query: Query | VectorQuery,
  columns: readonly (keyof R & string)[],
): Promise<R[]> {
  const table = await query.select([...columns]).toArrow();
  const read = columns.map((name) => [name, table.getChild(name)] as const);
  return Array.from(
    { length: table.numRows },
    (_, row) => Object.fromEntries(read.map(([name, column]) => [name, column?.get(row)])) as R,
  );
}

/** Returns a SQL string literal; doubling is the only escape there is. */
function quote(id: string): string {
  return `'${id.replaceAll("'", "''")}'`;
}
