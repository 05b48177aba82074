/** `durable-rag index`: a corpus file becomes an index. */
import { buildIndex } from '../../retrieval/build-index.js';
import type { Progress } from '../../temporal-dev/reporter.js';
import { readConfig } from '../../workers/config.js';
import type { Surroundings } from './local.js';

/** Builds the index; an index of that name stays in place until the new one is complete. */
export async function indexCorpus(
  file: string,
  into: string,
  { env, reporter, signal }: Surroundings,
): Promise<number> {
  let bar: Progress | undefined;
  try {
    const manifest = await buildIndex({
      file,
      into,
      folder: readConfig(env).corpora,
      signal,
      onProgress: ({ bytesRead, totalBytes }) => {
        bar ??= reporter.progress(`Reading ${file}`, totalBytes);
        bar.update(bytesRead);
      },
    });
    bar?.finish();
    reporter.part(
      'Index',
      `${manifest.name}: ${manifest.passages.toLocaleString('en-US')} passages`,
    );
    return 0;
  } finally {
    bar?.finish();
  }
}
