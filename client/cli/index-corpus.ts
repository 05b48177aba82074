/** `durable-rag index`: a corpus file becomes an index. */
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import { type BuildOptions, buildIndex } from '../../retrieval/build-index.js';
import type { IndexManifest } from '../../retrieval/manifest.js';
import { openStore } from '../../stores/open-store.js';
import type { Progress } from '../../temporal-dev/reporter.js';
import { buildEmbeddings, EMBEDDINGS } from '../../workers/build-embeddings.js';
import { readConfig } from '../../workers/config.js';
import type { Surroundings } from './local.js';

/** Builds the index; an index of that name stays in place until the new one is complete. */
export async function indexCorpus(
  file: string,
  { into, embed = false }: { into: string; embed?: boolean | undefined },
  surroundings: Surroundings,
): Promise<number> {
  const { env, reporter, signal } = surroundings;
  let bar: Progress | undefined;
  const options: BuildOptions = {
    file,
    into,
    folder: readConfig(env).corpora,
    signal,
    onProgress: ({ bytesRead, totalBytes }) => {
      bar ??= reporter.progress(`${embed ? 'Embedding' : 'Reading'} ${file}`, totalBytes);
      bar.update(bytesRead);
    },
  };
  try {
    const manifest = await (embed ? buildEmbedded(options, surroundings) : buildIndex(options));
    bar?.finish();
    reporter.part('Index', describe(manifest));
    return 0;
  } finally {
    bar?.finish();
  }
}

/** Vectors are kept as they are made, so that after an interrupt a second try is quick. */
async function buildEmbedded(
  options: BuildOptions,
  { env, reporter, signal }: Surroundings,
): Promise<IndexManifest> {
  const config = readConfig(env);
  const model = await buildEmbeddings({ config, env, reporter, signal });
  const store = await openStore(config.storeUrl, EMBEDDINGS);
  try {
    return await buildIndex({ ...options, embeddings: new EmbeddingCache(model, store) });
  } finally {
    await store.close();
  }
}

function describe({ name, passages, embedding }: IndexManifest): string {
  const count = `${name}: ${passages.toLocaleString('en-US')} passages`;
  return embedding ? `${count}, embedded with ${embedding.model}` : count;
}
