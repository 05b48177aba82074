import { corpusName } from '../activities/run/run-of.js';
import { type IndexManifest, pinnedCorpus } from '../retrieval/manifest.js';
import type { RunManifest, RunStore } from '../stores/runs/run-store.js';

/** Whether a run that has not ended, or has questions to ask again, searches a build. */
export function buildsInUse(runs: RunStore): (build: IndexManifest) => Promise<boolean> {
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
