/** `durable-rag index`: a corpus file becomes an index. */

import { corpusName } from '../activities/run/run-of.js';
import { command } from '../core/command.js';
import { EmbeddingCache } from '../llm/embedding-cache.js';
import { loadPrices } from '../llm/prices.js';
import type { ElasticsearchBuild } from '../retrieval/elasticsearch/build.js';
import { type IndexManifest, pinnedCorpus } from '../retrieval/manifest.js';
import type { RunManifest, RunStore } from '../stores/runs/run-store.js';
import { obtainEmbeddingModel } from '../temporal-dev/embedding-model.js';
import type { Progress } from '../temporal-dev/reporter.js';
import { buildEmbeddings } from '../workers/build-embeddings.js';
import { readConfig } from '../workers/config.js';
import { EMBEDDINGS, openNamespace } from '../workers/stores.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';
import type { Output } from './output.js';
import { withRuns } from './run/with-runs.js';
import { withSearch } from './with-search.js';

type IndexFlags = Pick<ElasticsearchBuild, 'into'> &
  NonNullable<ElasticsearchBuild['analysis']> & { embed?: boolean | undefined };

/** Builds the index; an index of that name stays in place until the new one is complete. */
export async function indexCorpus(
  file: string,
  { into, embed = false, ...analysis }: IndexFlags,
  context: CliContext,
): Promise<Output> {
  const { reporter, signal } = context;
  let bar: Progress | undefined;
  const options: ElasticsearchBuild = {
    file,
    into,
    analysis,
    signal,
    onProgress: ({ bytesRead, totalBytes }) => {
      bar ??= reporter.progress(`${embed ? 'Embedding' : 'Reading'} ${file}`, totalBytes);
      bar.update(bytesRead);
    },
    onRetry: ({ message }, waitMs) =>
      reporter.warn(`${message} Trying again in ${Math.ceil(waitMs / 1000)} s.`),
    onResume: (passages) =>
      reporter.part(
        'Index',
        `goes on where it was interrupted: ${passages.toLocaleString('en-US')} passages are there`,
      ),
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

/** As the workers have them. Vectors are kept as they are made: a second try is quick. */
async function withEmbeddings<T>(
  context: CliContext,
  work: (embeddings: EmbeddingCache) => Promise<T>,
): Promise<T> {
  const own = context.config ?? {};
  const config = readConfig(context.env, own);
  const prices = await loadPrices(config.prices, own.prices);
  const local = own.localEmbeddings ?? (() => obtainEmbeddingModel(context));
  const model = own.embeddings ?? (await buildEmbeddings(config, { prices }, local));
  return closing(openNamespace(config, EMBEDDINGS, own.store), (store) =>
    work(new EmbeddingCache(model, store)),
  );
}

function describe({ name, passages, embedding }: IndexManifest): string {
  const count = `${name}: ${passages.toLocaleString('en-US')} passages`;
  return embedding ? `${count}, embedded with ${embedding.model}` : count;
}

/** Whether a run that has not ended, or has questions to ask again, searches a build. */
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

async function isOpen({ run }: RunManifest, runs: RunStore): Promise<boolean> {
  for await (const { question } of runs.questions(run)) {
    const result = (await runs.get(run, question.id))?.result;
    if (!result || result.outcome === 'failed') return true;
  }
  return false;
}
