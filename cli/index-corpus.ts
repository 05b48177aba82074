/** `durable-rag index`: builds an index from a corpus file. */

import { corpusName } from '../activities/run/run-of.js';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import { isDataAddress, readDataAddress } from '../files/data-address.js';
import { EmbeddingCache } from '../llm/embedding-cache.js';
import { loadPrices } from '../llm/prices.js';
import { parseCorpusFields } from '../retrieval/corpus-record.js';
import type { ElasticsearchBuild } from '../retrieval/elasticsearch/build.js';
import { type IndexManifest, pinnedCorpus } from '../retrieval/manifest.js';
import type { RunManifest, RunStore } from '../stores/runs/run-store.js';
import { obtainEmbeddingModel } from '../temporal-dev/fetch-embedding-model.js';
import type { ProgressReport } from '../temporal-dev/reporter.js';
import { buildEmbeddings } from '../workers/build-embeddings.js';
import { readConfig } from '../workers/config.js';
import { EMBEDDINGS_NAMESPACE, openNamespace } from '../workers/store-namespaces.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';
import { localFile } from './dataset-flag.js';
import type { CommandOutput } from './print-output.js';
import { withRuns } from './run/with-runs.js';
import { withSearch } from './with-search.js';

type IndexFlags = Pick<ElasticsearchBuild, 'into'> &
  NonNullable<ElasticsearchBuild['analysis']> & {
    embed?: boolean | undefined;
    /** Mapping of fields, as `parseCorpusFields` reads it. */
    fields?: string | undefined;
  };

/**
 * Builds an index from a corpus file, with a progress bar. Returns the output of the command: the
 * index's manifest and the next step. An index of the same name stays in use until the new one is
 * complete.
 *
 * @throws Failure BadInput naming the file and place that is wrong; and as `fetchData`.
 */
export async function indexCorpus(
  file: string,
  { into, embed = false, fields, ...analysis }: IndexFlags,
  context: CliContext,
): Promise<CommandOutput> {
  const { reporter, signal } = context;
  let bar: ProgressReport | undefined;
  const mapping = fields === undefined ? undefined : parseCorpusFields(fields);
  const found = await localFile(file, context);
  const options: ElasticsearchBuild = {
    file: found.file,
    fetched: found.source,
    fields: mapping,
    into,
    analysis,
    signal,
    onProgress: ({ bytesRead, totalBytes }) => {
      bar ??= reporter.progress(`${embed ? 'Embedding' : 'Reading'} ${file}`, totalBytes);
      bar.update(bytesRead);
    },
    onRetry: ({ message }, waitMs) =>
      reporter.warn(`${message} Trying again in ${Math.ceil(waitMs / 1000)} s.`),
  };
  const build = (all: ElasticsearchBuild) =>
    withRuns(context, (runs) =>
      withSearch(context, (engine) => engine.build({ ...all, isInUse: buildsInUse(runs) })),
    );
  try {
    const manifest = embed
      ? await withEmbeddings(context, (embeddings) => build({ ...options, embeddings }))
      : await build(options);
    bar?.finish();
    reporter.part('Index', describe(manifest));
    return { value: manifest, next: command('ask', 'YOUR QUESTION', '--corpus', into) };
  } finally {
    bar?.finish();
  }
}

/**
 * Returns the name of a corpus's index. If `corpus` is an address that has no index yet, downloads
 * and indexes it first; a name that is not an address is returned unchanged.
 *
 * @param plans Whether the command only plans, so that nothing may be built.
 * @throws Failure as `fetchData` and `indexCorpus`, with the command to set how the file is read;
 * UnknownCorpus when planning, with the command that builds the index.
 */
export async function corpusNamed(
  corpus: string,
  context: CliContext,
  plans = false,
): Promise<string> {
  if (!isDataAddress(corpus)) return corpus;
  const { shown } = readDataAddress(corpus);
  const there = await withSearch(context, ({ corpora }) => corpora.list());
  const found = there.find(({ fetched }) => fetched?.address === shown);
  if (found) return found.name;
  const into = indexOf(corpus);
  if (plans) {
    const line = command('index', corpus, '--into', into);
    throw new Failure('UnknownCorpus', `${shown} is not indexed yet. Index it first: ${line}`);
  }
  try {
    await indexCorpus(corpus, { into }, context);
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'BadInput') throw error;
    const line = command('index', corpus, '--into', into);
    const message = `${error.message} To set how it is read, add flags to: ${line}`;
    throw new Failure('BadInput', message, { cause: error });
  }
  return into;
}

/** Returns the name of the index for an address: "wiki18_100w-" and eight digits of its hash. */
function indexOf(named: string): string {
  const [last = ''] = named
    .replace(/[?@].*$/s, '')
    .split(/[/:]/)
    .slice(-1);
  const readable = last.toLowerCase().replace(/\.(?:jsonl?|gz|zip|tsv|csv|parquet)\b/g, '');
  return `${readable.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'corpus'}-${sha256Of(named, 8)}`;
}

/**
 * Calls `work` with the workers' embedding cache, so that a second attempt is fast, and returns its
 * result.
 */
async function withEmbeddings<T>(
  context: CliContext,
  work: (embeddings: EmbeddingCache) => Promise<T>,
): Promise<T> {
  const own = context.config ?? {};
  const config = readConfig(context.env, own);
  const prices = await loadPrices(config.prices, own.prices);
  const local = own.localEmbeddings ?? (() => obtainEmbeddingModel(context));
  const model = own.embeddings ?? (await buildEmbeddings(config, { prices }, local));
  return closing(openNamespace(config, EMBEDDINGS_NAMESPACE, own.store), (store) =>
    work(new EmbeddingCache(model, store)),
  );
}

/**
 * Returns a sentence about an index: its passages, how the file was read, and how repeated ids were
 * handled.
 */
function describe({ name, passages, embedding, read, fields, repeatedIds }: IndexManifest): string {
  const number = (count: number) => count.toLocaleString('en-US');
  const mapping = Object.entries(fields).map(([field, path]) =>
    field === path ? field : `${field}=${path}`,
  );
  return [
    `${name}: ${number(passages)} passages`,
    ...(embedding ? [`embedded with ${embedding.model}`] : []),
    `read as ${read} (${mapping.join(', ')})`,
    ...(repeatedIds > 0
      ? [
          `${number(repeatedIds)} with a repeated id got a number appended, as in ID-2; the original is their document's id`,
        ]
      : []),
  ].join(', ');
}

/**
 * Returns a function that tells whether a build of an index is used by a run that has open or
 * failed questions.
 */
function buildsInUse(runs: RunStore): (build: IndexManifest) => Promise<boolean> {
  return async (build) => {
    const pinned = pinnedCorpus(build.name, build);
    for (const manifest of await runs.list()) {
      if (corpusName(manifest) !== pinned) continue;
      if (await isOpen(manifest, runs)) return true;
    }
    return false;
  };
}

/** Returns whether a run has questions that are not answered or have failed. */
async function isOpen({ run }: RunManifest, runs: RunStore): Promise<boolean> {
  for await (const { question } of runs.questions(run)) {
    const result = (await runs.get(run, question.id))?.result;
    if (!result || result.outcome === 'failed') return true;
  }
  return false;
}
