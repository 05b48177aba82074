/** Builds the index of a corpus beside the served one, then replaces that. */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Table } from '@lancedb/lancedb';
import type { DataSource } from '../core/dataset-record.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { fullDiskOf } from '../stores/full-disk.js';
import { B, K1 } from './bm25.js';
import { lockBuild } from './build-lock.js';
import { type CorpusReader, openCorpusFile } from './corpus-reader.js';
import type { CorpusFields } from './corpus-record.js';
import {
  connect,
  indexTable,
  type PassageRow,
  passageSchema,
  TABLE,
  TOKENIZER,
} from './lancedb/engine.js';
import { TermCounter } from './lancedb/term-statistics.js';
import {
  checkIndexName,
  corpusVersion,
  type IndexManifest,
  indexPaths,
  keptBuilds,
  manifestOf,
  readManifest,
  writeManifest,
} from './manifest.js';
import { passageText } from './retriever.js';
import type { Retrying } from './retry-with-backoff.js';
import { unspacedWords } from './terms.js';
import { describeEmbeddings, inBatches, withVectors } from './with-vectors.js';

export interface BuildProgress {
  /** Progress of reading has figures; indexing has none and takes up to three times as long. */
  stage: 'reading' | 'indexing' | 'done';
  /** Bytes of the file on the disk. */
  bytesRead: number;
  totalBytes: number;
  passages: number;
}

/** The input of a build, for every engine. */
export interface CorpusBuild {
  /** A corpus file, see `openCorpusFile`. */
  file: string;
  /** Paths of the fields; the usual names if left out, see `usualFields`. */
  fields?: CorpusFields | undefined;
  /** The name to index it under. */
  into: string;
  /** Address that the file was fetched from, for the manifest; undefined for a local file. */
  fetched?: DataSource | undefined;
  /** Embeds the passages, for dense and hybrid search; without it there is BM25 alone. */
  embeddings?: EmbeddingModel | undefined;
  /** Called for every thousand passages read, or 64 embedded, and at each change of stage. */
  onProgress?: ((progress: BuildProgress) => void) | undefined;
  /**
   * Tells whether an earlier build is still being read and must be kept. The build that this one
   * replaces is always kept until the next.
   */
  isInUse?: ((build: IndexManifest) => Promise<boolean>) | undefined;
  /** Called before a retry with what failed: a model or a server. */
  onRetry?: Retrying['onRetry'];
  /** Ends the build; the index in place stays. */
  signal?: AbortSignal | undefined;
}

interface BuildOptions extends CorpusBuild {
  /** Folder of the indexes; made if missing. */
  folder: string;
}

/** The size of a batch, which bounds the memory. */
const BATCH = { rows: 8_192, chars: 8_000_000 };
/** Rows between two progress reports. */
const REPORT_ROWS = 1000;
const EMBEDDED_REPORT_ROWS = 64;

/**
 * Indexes a corpus file. Until the last step, one rename, the index in place is served; a build
 * that fails or is killed leaves it as it was, and what it wrote is removed by the next build.
 *
 * @throws Failure BadInput for a bad name, an unreadable file, a bad record; BuildInProgress when
 * the same corpus is being built; the signal's reason when aborted.
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
    const full = signal.aborted ? undefined : await fullDiskOf(folder, error);
    await rm(paths.build(build), { recursive: true, force: true });
    throw full ?? error;
  } finally {
    await lock.release();
  }
}

async function buildInto(
  build: string,
  reader: CorpusReader,
  options: BuildOptions & Retrying,
): Promise<IndexManifest> {
  const { into, folder, embeddings, onProgress, signal } = options;
  const report = (stage: BuildProgress['stage'], passages: number) =>
    onProgress?.({ stage, passages, bytesRead: reader.bytesRead, totalBytes: reader.totalBytes });

  const paths = indexPaths(folder, into);
  const connection = await connect(paths.build(build));
  const embedding = embeddings && (await describeEmbeddings(embeddings, options));
  const schema = await passageSchema(embedding?.dimensions);
  const table = await connection.createEmptyTable(TABLE, schema);
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

  const tokenizer = { ...TOKENIZER, k1: K1, b: B };
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

async function* rowsOf(reader: CorpusReader, terms: TermCounter): AsyncGenerator<PassageRow> {
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
async function fill(table: Table, rows: AsyncIterable<PassageRow>): Promise<void> {
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

/** Removes the remains of dead builds, and earlier builds that nobody reads; must hold the lock. */
async function removeOtherBuilds(
  folder: string,
  name: string,
  isInUse: BuildOptions['isInUse'] = async () => false,
): Promise<void> {
  const { builds, build, home } = indexPaths(folder, name);
  const served = await readManifest(folder, name);
  const stay = new Set(served && [served.build]);
  for (const kept of await keptBuilds(folder, name)) {
    if (await isInUse(kept)) stay.add(kept.build);
  }
  const others = (await readdir(builds)).filter((id) => !stay.has(id));
  const drafts = (await readdir(home)).filter((file) => file.endsWith('.tmp'));
  const leftovers = [...others.map(build), ...drafts.map((file) => path.join(home, file))];
  await Promise.all(leftovers.map((left) => rm(left, { recursive: true, force: true })));
}

/** A build with the same content serves the readers of the older one. */
async function removeEqual(
  folder: string,
  now: IndexManifest,
  replaced: IndexManifest | undefined,
): Promise<void> {
  if (!replaced || corpusVersion(replaced) !== corpusVersion(now)) return;
  await rm(indexPaths(folder, now.name).build(replaced.build), { recursive: true, force: true });
}
