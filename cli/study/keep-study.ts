/** `study export` and `study delete`: what is kept of all runs of a study, out and away. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../core/command.js';
import { unknownStudy } from '../../core/run/unknown-run.js';
import { studyRuns } from '../../evaluation/study/study-of.js';
import { writeRunArchive } from '../../stores/runs/run-archive.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { CliContext } from '../context.js';
import type { Output } from '../output.js';
import { type DeleteFlags, deleteFound } from '../run/keep-runs.js';
import { withResults } from '../run/with-runs.js';

/** Writes each run of a study into a file of a folder, with the texts of its passages. */
export function exportStudy(study: string, folder: string, context: CliContext): Promise<Output> {
  return withResults(context, async ({ runs, texts }) => {
    const names = await runsNamed(study, runs);
    await mkdir(folder, { recursive: true });
    const files = names.map((run) => join(folder, `${run}.tar.gz`));
    for (const [i, run] of names.entries()) {
      const { questions, answers } = await writeRunArchive(run, files[i] ?? '', { runs, texts });
      if (answers === questions) continue;
      context.reporter.warn(`${questions - answers} questions of ${run} have no answer yet.`);
    }
    return {
      value: { study, files },
      text: `${study}: ${names.length} runs into ${folder}`,
      next: `on the other machine, for each: ${command('runs', 'import', files[0] ?? '')}`,
    };
  });
}

/**
 * Deletes all runs of a study, those of cells that are gone included, and its own histories.
 *
 * @throws Failure Conflict while it is under way; UnknownRun; and as `deleteFound`.
 */
export function deleteStudy(
  study: string,
  flags: DeleteFlags,
  context: CliContext,
): Promise<Output> {
  return deleteFound(study, flags, context, async (results, session) => {
    const runs = await runsNamed(study, results.runs);
    return {
      question: `Delete the study ${study} with its ${runs.length} runs?`,
      ...{ runs, what: `${runs.length} runs`, told: { study, runs: runs.length } },
      before: async () => (await session?.client.deleteStudy(study)) ?? 0,
    };
  });
}

/** @throws Failure UnknownRun where no run of the study is kept. */
async function runsNamed(study: string, runs: RunStore): Promise<string[]> {
  const names = studyRuns(await runs.list(), study).map(({ run }) => run);
  if (names.length === 0) {
    throw unknownStudy(study);
  }
  return names;
}
