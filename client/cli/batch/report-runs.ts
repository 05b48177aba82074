/** `durable-rag report`: one HTML file about runs. */
import { writeReport } from '../../../evaluation/report/write-report.js';
import { openRuns, type RunSource } from '../../../evaluation/runs/run-source.js';
import { Failure } from '../../../methods/failure.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import type { RunManifest } from '../../../results/run-store.js';
import { openSearch } from '../../../retrieval/open-search.js';
import type { Retriever } from '../../../retrieval/retriever.js';
import { passageStore } from '../../../retrieval/supplied-passages.js';
import { readConfig, type WorkerConfig } from '../../../workers/config.js';
import { openPassages } from '../../../workers/open-results.js';
import type { Surroundings } from '../local.js';
import { withRuns } from './run-place.js';

/** Writes the report; texts come from where the runs had them, as far as they are still there. */
export async function reportRuns(
  names: readonly string[],
  { out }: { out: string },
  surroundings: Surroundings,
): Promise<number> {
  const { env, reporter } = surroundings;
  const gone = await withRuns(surroundings, async (runs) =>
    writeRuns(await openRuns(runs, names), out, readConfig(env)),
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
): Promise<Set<string>> {
  const search = await openSearch(config);
  const store = await openPassages(config);
  const supplied = passageStore(store);
  const gone = new Set<string>();

  async function texts({ run, input }: RunManifest, ids: readonly string[]) {
    const corpus = await search.corpora.open(input.corpus).catch(() => undefined);
    const found = await Promise.all(
      ids.map(
        async (id) => [id, (await textOf(id, corpus)) ?? (await textOf(id, supplied))] as const,
      ),
    );
    const known = found.filter(
      (entry): entry is readonly [string, string] => entry[1] !== undefined,
    );
    if (known.length < found.length) gone.add(run);
    return new Map(known);
  }

  try {
    await writeAtomically(out, (write) => writeReport(sources, { texts, write }));
  } finally {
    await Promise.all([search.close(), store.close()]);
  }
  return gone;
}

async function textOf(
  id: string,
  passages: Pick<Retriever, 'get'> | undefined,
): Promise<string | undefined> {
  try {
    return (await passages?.get([id]))?.[0]?.text;
  } catch (error) {
    if (error instanceof Failure && error.type === 'UnknownPassage') return undefined;
    throw error;
  }
}
