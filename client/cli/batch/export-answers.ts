/** `durable-rag export`: the answers of a run, or what they were read from, as JSON Lines. */
import { once } from 'node:events';
import { exportFid, type FidCounts } from '../../../evaluation/runs/export-fid.js';
import { exportRun } from '../../../evaluation/runs/export-line.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import { readConfig } from '../../../workers/config.js';
import { openResults } from '../../open-results.js';
import type { Surroundings } from '../local.js';
import { withElasticsearch } from '../local-elasticsearch.js';
import { withRuns } from './run-place.js';

export interface ExportFlags {
  out?: string | undefined;
  /** Answers with scores and chains; or questions with their contexts for the FiD reader. */
  format?: 'answers' | 'fid' | undefined;
}

/** Writes a run as JSON Lines, into a file or on standard output. */
export async function exportAnswers(
  run: string,
  flags: ExportFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { results, elasticsearch } = readConfig(surroundings.env);
  const searched = flags.format === 'fid' && elasticsearch !== undefined;
  const isNeeded = results.kind === 'elasticsearch' || searched;
  return withElasticsearch(isNeeded, surroundings, () =>
    flags.format === 'fid'
      ? writeContexts(run, flags, surroundings)
      : writeAnswers(run, flags, surroundings),
  );
}

function writeAnswers(
  run: string,
  { out }: ExportFlags,
  surroundings: Surroundings,
): Promise<number> {
  return withRuns(surroundings, async (runs) => {
    const lines = await write((await openRuns(runs, [run])).map(exportRun), out);
    if (out !== undefined) surroundings.reporter.part('Exported', `${lines} answers into ${out}`);
    return 0;
  });
}

async function writeContexts(
  run: string,
  { out }: ExportFlags,
  { env, reporter }: Surroundings,
): Promise<number> {
  const { runs, texts, close } = await openResults(env);
  try {
    const counts: FidCounts = { failed: 0 };
    const sources = await openRuns(runs, [run]);
    const lines = await write(
      sources.map((source) => exportFid(source, texts, counts)),
      out,
    );
    if (counts.failed > 0) reporter.warn(`${counts.failed} failed questions are left out.`);
    if (out !== undefined) reporter.part('Exported', `${lines} questions into ${out}`);
    return 0;
  } finally {
    await close();
  }
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

async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
