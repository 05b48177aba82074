import { Failure } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import type { BuildProgress, CorpusBuild } from '../build-index.js';
import { type CorpusReader, openCorpusFile } from '../corpus-reader.js';
import { checkIndexName, corpusVersion, type IndexManifest, manifestOf } from '../manifest.js';
import { passageText } from '../retriever.js';
import { type Retrying, retryWithBackoff } from '../retry-with-backoff.js';
import { describeEmbeddings, withVectors } from '../with-vectors.js';
import { type DocumentRow, writeDocuments } from './bulk.js';
import type { ElasticsearchConnection } from './connection.js';
import { claimDraft, type DraftPlan, keepDraft, newDraft } from './drafts.js';
import { LONGEST_ID } from './index-retriever.js';
import {
  type Analysis,
  DEFAULT_ANALYSIS,
  type Draft,
  deleteIndex,
  findIndices,
  indexName,
  readServed,
  serveIndex,
} from './indices.js';

export interface ElasticsearchBuild extends CorpusBuild {
  /** @default english, k1 0.9, b 0.4 */
  analysis?: { [S in keyof Analysis]?: Analysis[S] | undefined } | undefined;
  /** Called when it continues an interrupted build, with the number of passages there. */
  onResume?: ((passages: number) => void) | undefined;
}

/** Rows between two progress reports. */
const REPORT_ROWS = 1000;

/** The file is not the one that the interrupted build read. */
class AnotherFile extends Error {}

/** The last row, with the fingerprint of all passages up to it. */
type Row = DocumentRow & { fingerprint: string };

/**
 * Indexes a corpus file. The index in place is served until the last step, the move of an alias. A
 * build that fails or is killed leaves it unchanged, and the next build of the same corpus
 * continues where it stopped.
 *
 * @throws Failure BadInput for a bad name, an unreadable file, a bad record, or a document that the
 * server refuses (with its place); BuildInProgress if the same corpus is being built; the signal's
 * reason if aborted.
 */
export async function buildElasticsearchIndex(
  connection: ElasticsearchConnection,
  options: ElasticsearchBuild,
): Promise<IndexManifest> {
  const {
    file,
    into,
    fields,
    embeddings,
    signal = new AbortController().signal,
    onRetry,
  } = options;
  const retrying = { signal, onRetry };
  checkIndexName(into);
  const tokenizer = checkAnalysis(options.analysis ?? {});
  const reader = await openCorpusFile(file, { fields });
  await refuseTaken(connection, into, signal);
  const embedding = embeddings && (await describeEmbeddings(embeddings, retrying));
  const plan: DraftPlan = { name: into, tokenizer, ...(embedding ? { embedding } : {}) };

  const draft = await claimDraft(connection, plan, signal);
  try {
    return await buildInto(connection, reader, draft, { ...options, signal });
  } catch (error) {
    if (!(error instanceof AnotherFile)) throw error;
    await deleteIndex(connection, indexName(draft));
    const fresh = await newDraft(connection, plan, signal);
    return buildInto(connection, await openCorpusFile(file, { fields }), fresh, {
      ...options,
      signal,
    });
  }
}

async function buildInto(
  connection: ElasticsearchConnection,
  reader: CorpusReader,
  draft: Draft,
  options: ElasticsearchBuild & Retrying,
): Promise<IndexManifest> {
  const { embeddings, onProgress, onResume, signal } = options;
  const report = (stage: BuildProgress['stage'], passages: number) =>
    onProgress?.({ stage, passages, bytesRead: reader.bytesRead, totalBytes: reader.totalBytes });
  if (draft.passages > 0) onResume?.(draft.passages);

  const keeper = keepDraft(connection, draft);
  let passages = 0;
  try {
    const read = rowsOf(reader, draft, (position) => {
      passages = position + 1;
      if (passages % REPORT_ROWS === 0) report('reading', passages);
    });
    const rows = embeddings ? withVectors(read, embeddings, options) : read;
    await writeDocuments(connection, indexName(draft), rows, {
      source: reader.source,
      signal,
      onRetry: options.onRetry,
      onWritten({ position, fingerprint }) {
        keeper.passages = position + 1;
        keeper.fingerprint = fingerprint;
      },
    });
    report('indexing', passages);
    await checkWhole(connection, draft, passages, options);
    signal.throwIfAborted();
  } catch (error) {
    await keeper.release();
    throw error;
  }
  await keeper.settle();
  const { name, build, tokenizer, embedding } = draft;
  const manifest = manifestOf(reader, {
    name,
    engine: 'elasticsearch',
    build,
    passages,
    tokenizer,
    embedding,
    ...(options.fetched && { fetched: options.fetched }),
  });
  const before = () => readServed(connection, manifest.name);
  const replaced = await retryWithBackoff(before, options);
  await retryWithBackoff(() => serveIndex(connection, manifest, signal), options);
  // From here on the new index is served, and nothing may undo that.
  await removeOthers(connection, manifest, replaced, options.isInUse).catch(() => {});
  report('done', passages);
  return manifest;
}

/** Yields the rows that are not written yet. @throws AnotherFile */
async function* rowsOf(
  reader: CorpusReader,
  { passages: written, fingerprint: expected }: Draft,
  onPassage: (position: number) => void,
): AsyncGenerator<Row> {
  let position = 0;
  let fingerprint = '';
  for await (const { passage, document, place } of reader) {
    const { id, title } = passage;
    checkId(id, reader.source, place);
    onPassage(position);
    const body = passageText(passage);
    fingerprint = sha256Of(JSON.stringify([fingerprint, id, body]));
    if (position >= written) yield { position, id, document, title, body, place, fingerprint };
    position++;
    if (position === written && fingerprint !== expected) throw new AnotherFile();
  }
  if (position < written) throw new AnotherFile();
}

/**
 * Counts the documents.
 *
 * @throws AnotherFile when an interrupted build left some that are not in the file; Failure
 * Unexpected when the count is wrong and there is no such reason.
 */
async function checkWhole(
  connection: ElasticsearchConnection,
  draft: Draft,
  passages: number,
  retrying: Retrying,
): Promise<void> {
  const index = indexName(draft);
  const { count } = await retryWithBackoff(
    () =>
      connection.request(async (client, options) => {
        // Documents sent twice would count twice in word statistics.
        await client.indices.forcemerge({ index, only_expunge_deletes: true }, options);
        await client.indices.refresh({ index }, options);
        return client.count({ index }, options);
      }, retrying.signal),
    retrying,
  );
  if (count === passages) return;
  if (draft.passages > 0) throw new AnotherFile();
  await deleteIndex(connection, index);
  throw new Failure(
    'Unexpected',
    `Elasticsearch holds ${count} of the ${passages} passages, so the index was not put in place ` +
      'and is removed: start again.',
  );
}

/** Refuses a name whose index or alias is not ours. */
async function refuseTaken(
  connection: ElasticsearchConnection,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await findIndices(connection, name, signal);
  if (found.every(({ record }) => record?.name === name)) return;
  throw new Failure(
    'BadInput',
    `Elasticsearch at ${connection.address} has an index or alias ${name} that durable-rag did not ` +
      'make, or that another version made: choose another name, or delete it.',
  );
}

/** Removes earlier builds that nobody reads; the one just replaced is kept until the next. */
async function removeOthers(
  connection: ElasticsearchConnection,
  now: IndexManifest,
  replaced: IndexManifest | undefined,
  isInUse: CorpusBuild['isInUse'] = async () => false,
): Promise<void> {
  for (const { index, record } of await findIndices(connection, `${now.name}-*`)) {
    if (record?.state !== 'complete' || record.name !== now.name) continue;
    if (record.build === now.build) continue;
    // A build with the same content serves the readers of the older one.
    const isEqual = corpusVersion(record) === corpusVersion(now);
    const stays = record.build === replaced?.build || (await isInUse(record));
    if (isEqual || !stays) await deleteIndex(connection, index);
  }
}

function checkAnalysis({
  analyzer = DEFAULT_ANALYSIS.analyzer,
  k1 = DEFAULT_ANALYSIS.k1,
  b = DEFAULT_ANALYSIS.b,
}: NonNullable<ElasticsearchBuild['analysis']>): Analysis {
  if (!(k1 >= 0)) throw new Failure('BadInput', `k1 is ${k1}: it must be 0 or more.`);
  if (!(b >= 0 && b <= 1)) throw new Failure('BadInput', `b is ${b}: it must be from 0 to 1.`);
  return { analyzer, k1, b };
}

function checkId(id: string, source: string, place: string): void {
  const bytes = Buffer.byteLength(id);
  if (bytes <= LONGEST_ID) return;
  throw new Failure(
    'BadInput',
    `${source} ${place} has an id of ${bytes} bytes: Elasticsearch takes ${LONGEST_ID} at most.`,
  );
}
