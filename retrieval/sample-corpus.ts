/** The sample corpus of the package, which is indexed at first use. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sha256Of } from '../core/sha256.js';
import { packageRoot } from '../stores/package-root.js';
import { BuildInProgress } from './build-lock.js';
import type { IndexManifest } from './manifest.js';
import type { SearchEngine } from './open-search.js';

/** Name of the sample corpus. */
const SAMPLE_CORPUS = 'sample';

/**
 * Returns the paths of two files in the package: `corpus`, the sample corpus, and `questions`,
 * questions about it.
 */
export function sampleFiles(): { corpus: string; questions: string } {
  const folder = path.join(packageRoot(), 'samples');
  return {
    corpus: path.join(folder, 'corpus.jsonl'),
    questions: path.join(folder, 'questions.jsonl'),
  };
}

const WAIT_MS = 100;
const WAITS = 600;

/**
 * Returns the manifest of the sample corpus's index, which is built if it is missing, damaged or
 * made from another file. A build takes about a second. Of several processes, one builds it and the
 * others wait.
 *
 * @throws BuildInProgress if another process is still building it after a minute.
 */
export async function ensureSampleCorpus({
  corpora,
  build,
}: Pick<SearchEngine, 'corpora' | 'build'>): Promise<IndexManifest> {
  const { corpus } = sampleFiles();
  const sha256 = sha256Of(await readFile(corpus));
  for (let waits = 0; ; waits++) {
    const there = await corpora.describe(SAMPLE_CORPUS).catch(() => undefined);
    if (there?.sha256 === sha256) return there;
    try {
      return await build({ file: corpus, into: SAMPLE_CORPUS });
    } catch (error) {
      if (!(error instanceof BuildInProgress) || waits === WAITS) throw error;
      await setTimeout(WAIT_MS);
    }
  }
}
