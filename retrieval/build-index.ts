/** Builds a LanceDB index of a corpus file, and then replaces the index that is served. */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Table } from '@lancedb/lancedb';
import type { DataSource } from '../core/dataset-record.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { fullDiskFailure } from '../stores/full-disk.js';
import { BM25_B, BM25_K1 } from './bm25.js';
import { lockBuild } from './build-lock.js';
import { type CorpusReader, openCorpusFile } from './corpus-reader.js';
import type { CorpusFields } from './corpus-record.js';
import {
  connectLanceDb,
  type IndexedPassage,
  indexTable,
  passageSchema,
  TABLE_NAME,
  TOKENIZER,
} from './lancedb/engine.js';
import { TermCounter } from './lancedb/term-statistics.js';
import {
  checkIndexName,
  completeBuilds,
  corpusVersion,
  type IndexManifest,
  indexPaths,
  manifestOf,
  readManifest,
  writeManifest,
} from './manifest.js';
import { passageText } from './retriever.js';
import type { RetryOptions } from './retry-with-backoff.js';
import { unspacedWords } from './terms.js';
import { describeEmbeddings, inBatches, withVectors } from './with-vectors.js';

/**
 * The progress of building an index from a corpus file: its stage, the bytes read so far and in
 * all, and the passages read so far.
 */
export interface IndexBuildProgress {
  /**
   * Stage of the build. Indexing reports no progress and takes up to three times as long as
   * reading.
   */
  stage: 'reading' | 'indexing' | 'done';
  /** Number of bytes of the file read so far, of its size on the disk. */
  bytesRead: number;
  /** Size of the file on the disk, in bytes. */
  totalBytes: number;
  /** Number of passages read so far. */
  passages: number;
}

/** The options for building an index from a corpus file, for every search engine. */
export interface CorpusBuild {
  /** A corpus file, see `openCorpusFile`. */
  file: string;
  /** Paths of the fields. @default the known names, see `knownFields` */
  fields?: CorpusFields | undefined;
  /** Name of the corpus. */
  into: string;
  /** Address that the file was fetched from, for the manifest; undefined for a local file. */
  fetched?: DataSource | undefined;
  /**
   * Embeds the passages, for dense and hybrid search; without it the corpus can be searched by BM25
   * only.
   */
  embeddings?: EmbeddingModel | undefined;
  /**
   * Called after every 1,000 passages read (in LanceDB, after every 64 if they are embedded), and
   * at each change of stage.
   */
  onProgress?: ((progress: IndexBuildProgress) => void) | undefined;
  /**
   * Returns whether an earlier build is still in use and must be kept. The build that the new one
   * replaces is always kept until the next build. @default none is in use
   */
  isInUse?: ((build: IndexManifest) => Promise<boolean>) | undefined;
  /** Called before a retry, with the failure of a model or a server. */
  onRetry?: RetryOptions['onRetry'];
  /** Aborts the build; the existing index stays. */
  signal?: AbortSignal | undefined;
}

interface BuildOptions extends CorpusBuild {
  /** Folder of the indexes; made if missing. */
  folder: string;
}

/** Maximum size of a batch of rows, which limits the memory. */
const BATCH = { rows: 8_192, chars: 8_000_000 };
/** Rows between two progress reports. */
const REPORT_ROWS = 1000;
const EMBEDDED_REPORT_ROWS = 64;

/**
 * Builds a LanceDB index of a corpus file, and returns its manifest. An existing index of the
 * corpus is served until the last step, a rename. A build that fails or is killed leaves it
 * unchanged; the files of a killed one are removed by the next build.
 *
 * @throws Failure BadInput for a bad name, an unreadable file, a bad record; BuildInProgress if the
 * same corpus is being built; DiskFull; failures of the embedding model; the signal's reason if
 * aborted.
 * @example await buildIndex({ file: 'corpus.jsonl.gz', into: 'wiki', folder });
 */
export async function buildIndex(options: BuildOptions): Promise<IndexManifest> {
  const { file, into, folder, fields } = options;
  checkIndexName(into);
  const reader = await openCorpusFile(file, { fields });
  const paths = indexPaths(folder, into);
  await mkdir(paths.builds, { recursive: true });

  const lock = await lockBuild(folder, into);
  const signal = AbortSignal.any([lock.lost, ...(options.signal ? [options.signal] : [])]);
  const build = randomUUID();
  try {
    // If the manifest has another version, change nothing until ours replaces it.
    await removeOtherBuilds(folder, into, options.isInUse).catch(() => {});
    return await buildInto(build, reader, { ...options, signal });
  } catch (error) {
    // Checked before the written files are removed, which makes room.
    const full = signal.aborted ? undefined : await fullDiskFailure(folder, error);
    await rm(paths.build(build), { recursive: true, force: true });
    throw full ?? error;
  } finally {
    await lock.release();
  }
}

async function buildInto(
  build: string,
  reader: CorpusReader,
  options: BuildOptions & RetryOptions,
): Promise<IndexManifest> {
  const { into, folder, embeddings, onProgress, signal } = options;
  const report = (stage: IndexBuildProgress['stage'], passages: number) =>
    onProgress?.({ stage, passages, bytesRead: reader.bytesRead, totalBytes: reader.totalBytes });

  const paths = indexPaths(folder, into);
  const connection = await connectLanceDb(paths.build(build));
  const embedding = embeddings && (await describeEmbeddings(embeddings, options));
  const schema = await passageSchema(embedding?.dimensions);
  const table = await connection.createEmptyTable(TABLE_NAME, schema);
  const terms = new TermCounter();
  const read = rowsOf(reader, terms);
  const rows = embeddings ? withVectors(read, embeddings, options) : read;
  const every = embeddings ? EMBEDDED_REPORT_ROWS : REPORT_ROWS;
  let passages = 0;
  async function* counted() {
    for await (const row of rows) {
      signal.throwIfAborted();
      if (passages % every === 0) report('reading', passages);
      passages++;
      yield row;
    }
  }
  await fill(table, counted());
  report('indexing', passages);
  await indexTable(table, { passages, vectors: embedding !== undefined });
  await terms.write(paths.build(build));
  table.close();
  connection.close();
  signal.throwIfAborted();

  const tokenizer = { ...TOKENIZER, k1: BM25_K1, b: BM25_B };
  const manifest = manifestOf(reader, {
    name: into,
    engine: 'lancedb',
    build,
    passages,
    tokenizer,
    embedding,
    ...(options.fetched && { fetched: options.fetched }),
  });
  // The build's own manifest, for when another build replaces it.
  await writeManifest(paths.buildManifest(build), manifest);
  const replaced = await readManifest(folder, into).catch(() => undefined);
  await writeManifest(paths.manifest, manifest);
  // From here on the new index is served, and nothing may undo that.
  await removeEqual(folder, manifest, replaced).catch(() => {});
  report('done', passages);
  return manifest;
}

async function* rowsOf(reader: CorpusReader, terms: TermCounter): AsyncGenerator<IndexedPassage> {
  let position = 0;
  for await (const { passage, document = null } of reader) {
    const { id, title } = passage;
    const body = passageText(passage);
    const apart = unspacedWords(body).join(' ') || null;
    yield { position, id, document, title, body, length: terms.add(body), apart };
    position++;
  }
}

/** Streams the rows into the table, one batch being written while the next is read. */
async function fill(table: Table, rows: AsyncIterable<IndexedPassage>): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const batch of inBatches(rows, BATCH)) {
      await writing;
      // Copies: the library wants an index signature, which interfaces lack.
      writing = table.add(batch.map((row) => ({ ...row })));
      // The next `await writing` throws a failure; until then it must not be unhandled.
      writing.catch(() => {});
    }
  } finally {
    // Also awaited after a failure, since open files cannot be removed.
    await Promise.allSettled([writing]);
  }
  await writing;
}

/**
 * Removes files of dead builds, and earlier builds that are not in use. The caller must hold the
 * lock.
 */
async function removeOtherBuilds(
  folder: string,
  name: string,
  isInUse: BuildOptions['isInUse'] = async () => false,
): Promise<void> {
  const { builds, build, home } = indexPaths(folder, name);
  const served = await readManifest(folder, name);
  const stay = new Set(served && [served.build]);
  for (const kept of await completeBuilds(folder, name)) {
    if (await isInUse(kept)) stay.add(kept.build);
  }
  const others = (await readdir(builds)).filter((id) => !stay.has(id));
  const drafts = (await readdir(home)).filter((file) => file.endsWith('.tmp'));
  const leftovers = [...others.map(build), ...drafts.map((file) => path.join(home, file))];
  await Promise.all(leftovers.map((left) => rm(left, { recursive: true, force: true })));
}

/**
 * Removes the replaced build if its content equals that of the new one, which then serves its
 * readers.
 */
async function removeEqual(
  folder: string,
  now: IndexManifest,
  replaced: IndexManifest | undefined,
): Promise<void> {
  if (!replaced || corpusVersion(replaced) !== corpusVersion(now)) return;
  await rm(indexPaths(folder, now.name).build(replaced.build), { recursive: true, force: true });
}
