/** `durable-rag report`: one HTML file about runs. */
import { writeReport } from '../../../evaluation/report/write-report.js';
import { openRuns, type RunSource } from '../../../evaluation/runs/run-source.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import { passageStore } from '../../../retrieval/supplied-passages.js';
import type { WorkerConfig } from '../../../workers/config.js';
import { openPassages } from '../../../workers/open-results.js';
import type { Surroundings } from '../local.js';
import { withSearch } from '../search-place.js';
import { passageTexts } from './passage-texts.js';
import { withRuns } from './run-place.js';

/** Writes the report; texts come from where the runs had them, as far as they are still there. */
export async function reportRuns(
  names: readonly string[],
  { out }: { out: string },
  surroundings: Surroundings,
): Promise<number> {
  const { reporter } = surroundings;
  const gone = await withRuns(surroundings, async (runs, config) =>
    writeRuns(await openRuns(runs, names), out, config, surroundings),
  );
  for (const run of gone) {
    reporter.warn(`Some passages of ${run} are no longer there; the report shows them by title.`);
  }
  reporter.part('Report', out);
  return 0;
}

/** The runs of which some passages are no longer there. */
async function writeRuns(
  sources: readonly RunSource[],
  out: string,
  config: WorkerConfig,
  surroundings: Surroundings,
): Promise<ReadonlySet<string>> {
  const store = await openPassages(config);
  try {
    return await withSearch(surroundings, async ({ corpora }) => {
      const { texts, gone } = passageTexts(corpora, passageStore(store));
      await writeAtomically(out, (write) => writeReport(sources, { texts, write }));
      return gone;
    });
  } finally {
    await store.close();
  }
}
