/** `durable-rag export`: the answers of a run, or what they were read from, as JSON Lines. */
import { once } from 'node:events';
import { exportFid, type FidCounts } from '../../../evaluation/runs/export-fid.js';
import { exportRun } from '../../../evaluation/runs/export-line.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import { passageStore } from '../../../retrieval/supplied-passages.js';
import type { WorkerConfig } from '../../../workers/config.js';
import { openPassages } from '../../../workers/open-results.js';
import type { Surroundings } from '../local.js';
import { withSearch } from '../search-place.js';
import { passageTexts } from './passage-texts.js';
import { withRuns } from './run-place.js';

export interface ExportFlags {
  out?: string | undefined;
  /** Answers with scores and chains; or questions with their contexts for the FiD reader. */
  format?: 'answers' | 'fid' | undefined;
}

/** Writes a run as JSON Lines, into a file or on standard output. */
export async function exportAnswers(
  run: string,
  { out, format = 'answers' }: ExportFlags,
  surroundings: Surroundings,
): Promise<number> {
  return withRuns(surroundings, async (runs, config) => {
    const sources = await openRuns(runs, [run]);
    if (format === 'answers') {
      const lines = await write(sources.map(exportRun), out);
      if (out !== undefined) surroundings.reporter.part('Exported', `${lines} answers into ${out}`);
      return 0;
    }
    const counts: FidCounts = { failed: 0 };
    const lines = await withTexts(config, surroundings, ({ texts }) =>
      write(
        sources.map((source) => exportFid(source, texts, counts)),
        out,
      ),
    );
    if (counts.failed > 0) {
      surroundings.reporter.warn(`${counts.failed} failed questions are left out.`);
    }
    if (out !== undefined) surroundings.reporter.part('Exported', `${lines} questions into ${out}`);
    return 0;
  });
}

/** Writes lines as they come. @returns how many. */
async function write(
  sources: readonly AsyncIterable<string>[],
  out: string | undefined,
): Promise<number> {
  let lines = 0;
  const all = async (append: (line: string) => Promise<void>) => {
    for (const source of sources) {
      for await (const line of source) {
        await append(`${line}\n`);
        lines++;
      }
    }
  };
  if (out === undefined) await all(toStandardOutput);
  else await writeAtomically(out, all);
  return lines;
}

/** Works with the texts of passages, from where the run had them. */
async function withTexts<T>(
  config: WorkerConfig,
  surroundings: Surroundings,
  work: (texts: ReturnType<typeof passageTexts>) => Promise<T>,
): Promise<T> {
  const store = await openPassages(config);
  try {
    return await withSearch(surroundings, ({ corpora }) =>
      work(passageTexts(corpora, passageStore(store))),
    );
  } finally {
    await store.close();
  }
}

async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
