import { Failure } from '../../core/failure.js';
import type { CorpusBuild, IndexBuildProgress } from '../build-index.js';
import { type CorpusReader, openCorpusFile } from '../corpus-reader.js';
import { checkIndexName, corpusVersion, type IndexManifest, manifestOf } from '../manifest.js';
import { passageText } from '../retriever.js';
import { type RetryOptions, retryWithBackoff } from '../retry-with-backoff.js';
import { describeEmbeddings, withVectors } from '../with-vectors.js';
import { type DocumentRow, writeDocuments } from './bulk.js';
import type { ElasticsearchConnection } from './connection.js';
import { beginDraft, keepAlive } from './drafts.js';
import { LONGEST_ID } from './index-retriever.js';
import {
  type Analysis,
  DEFAULT_ANALYSIS,
  deleteIndex,
  findIndices,
  type IndexDraft,
  indexName,
  readServed,
  serveIndex,
} from './indices.js';

/** The options for building an Elasticsearch index from a corpus file. */
export interface ElasticsearchBuild extends CorpusBuild {
  /** Text analysis of the index. @default english, k1 0.9, b 0.4 */
  analysis?: { [S in keyof Analysis]?: Analysis[S] | undefined } | undefined;
}

/** Rows between two progress reports. */
const REPORT_ROWS = 1000;

/**
 * Builds an Elasticsearch index of a corpus file, and returns its manifest. An existing index of
 * the corpus is served until the last step, the move of an alias. A build that fails leaves it
 * unchanged and is deleted; that of a killed process is deleted by the next build. Cached
 * embeddings are not paid for again.
 *
 * @throws Failure BadInput for a bad name or one that something else uses, a bad analysis, an
 * unreadable file, a bad record, or a document that the server refuses (with its place); Unexpected
 * if passages are missing in the end; failures of the server and the embedding model;
 * BuildInProgress if the same corpus is being built; the signal's reason if aborted.
 */
export async function buildElasticsearchIndex(
  connection: ElasticsearchConnection,
  { signal = new AbortController().signal, ...options }: ElasticsearchBuild,
): Promise<IndexManifest> {
  const { file, into: name, fields, embeddings, onRetry } = options;
  const retrying = { signal, onRetry };
  checkIndexName(name);
  const tokenizer = checkAnalysis(options.analysis ?? {});
  const reader = await openCorpusFile(file, { fields });
  await refuseTaken(connection, name, signal);
  const embedding = embeddings && (await describeEmbeddings(embeddings, retrying));
  const draft = await beginDraft(connection, { name, tokenizer, embedding }, signal);
  const passages = await fillDraft(connection, reader, draft, { ...options, signal });
  const manifest = manifestOf(reader, {
    name,
    engine: 'elasticsearch',
    build: draft.build,
    passages,
    tokenizer: draft.tokenizer,
    embedding,
    ...(options.fetched && { fetched: options.fetched }),
  });
  const replaced = await retryWithBackoff(() => readServed(connection, name), retrying);
  await retryWithBackoff(() => serveIndex(connection, manifest, signal), retrying);
  // From here on the new index is served, and nothing may undo that.
  await removeOthers(connection, manifest, replaced, options.isInUse).catch(() => {});
  reportTo(options, reader, 'done', passages);
  return manifest;
}

/** Writes all passages into a draft, and returns their number. Deletes the draft if that fails. */
async function fillDraft(
  connection: ElasticsearchConnection,
  reader: CorpusReader,
  draft: IndexDraft,
  options: ElasticsearchBuild & RetryOptions,
): Promise<number> {
  const { embeddings, onRetry, signal } = options;
  const stop = keepAlive(connection, draft);
  let passages = 0;
  try {
    const read = rowsOf(reader, () => {
      passages++;
      if (passages % REPORT_ROWS === 0) reportTo(options, reader, 'reading', passages);
    });
    const rows = embeddings ? withVectors(read, embeddings, options) : read;
    const { source } = reader;
    await writeDocuments(connection, indexName(draft), rows, { source, signal, onRetry });
    reportTo(options, reader, 'indexing', passages);
    await checkWhole(connection, indexName(draft), passages, options);
    signal.throwIfAborted();
  } catch (error) {
    await stop();
    // If the server is away, the next build deletes it.
    await deleteIndex(connection, indexName(draft)).catch(() => {});
    throw error;
  }
  await stop();
  return passages;
}

function reportTo(
  { onProgress }: Pick<ElasticsearchBuild, 'onProgress'>,
  { bytesRead, totalBytes }: CorpusReader,
  stage: IndexBuildProgress['stage'],
  passages: number,
): void {
  onProgress?.({ stage, passages, bytesRead, totalBytes });
}

async function* rowsOf(reader: CorpusReader, onPassage: () => void): AsyncGenerator<DocumentRow> {
  let position = 0;
  for await (const { passage, document, place } of reader) {
    const { id, title } = passage;
    checkId(id, reader.source, place);
    onPassage();
    yield { position: position++, id, document, title, body: passageText(passage), place };
  }
}

/** Counts the documents. @throws Failure Unexpected if the count is wrong. */
async function checkWhole(
  connection: ElasticsearchConnection,
  index: string,
  passages: number,
  retrying: RetryOptions,
): Promise<void> {
  const counted = () =>
    connection.request(async (client, options) => {
      // Documents sent twice would count twice in word statistics.
      await client.indices.forcemerge({ index, only_expunge_deletes: true }, options);
      await client.indices.refresh({ index }, options);
      return client.count({ index }, options);
    }, retrying.signal);
  const { count } = await retryWithBackoff(counted, retrying);
  if (count === passages) return;
  throw new Failure(
    'Unexpected',
    `Elasticsearch has ${count} of the ${passages} passages, so the index was not put in place ` +
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

/**
 * Removes earlier builds that are not in use; the one just replaced is kept until the next build.
 */
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
