/** `study export` and `study delete`: what is kept of all runs of a study, out and away. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../core/command.js';
import { unknownStudy } from '../../core/run/unknown-run.js';
import { studyRuns } from '../../evaluation/study/study-of.js';
import { writeRunArchive } from '../../stores/runs/run-archive.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { sayNext, show } from '../output.js';
import { mayDelete, REMAINS, removeRun, tellingSession } from '../run/keep-runs.js';
import { withResults } from '../run/with-runs.js';

/** Writes each run of a study into a file of a folder, with the texts of its passages. */
export function exportStudy(study: string, folder: string, context: CliContext): Promise<number> {
  return withResults(context, async ({ runs, texts }) => {
    const names = await runsNamed(study, runs);
    await mkdir(folder, { recursive: true });
    const files = names.map((run) => join(folder, `${run}.tar.gz`));
    for (const [i, run] of names.entries()) {
      const { questions, answers } = await writeRunArchive(run, files[i] ?? '', { runs, texts });
      if (answers === questions) continue;
      context.reporter.warn(`${questions - answers} questions of ${run} have no answer yet.`);
    }
    show(context, { study, files }, `${study}: ${names.length} runs into ${folder}`);
    sayNext(
      context,
      `on the other machine, for each: ${command('runs', 'import', files[0] ?? '')}`,
    );
    return EXIT.ok;
  });
}

/**
 * Deletes the results of all runs of a study, those of cells that are gone included, and the
 * histories in Temporal.
 *
 * @throws Failure Conflict while it is under way; Connection where no server answers that could
 *   tell, unless `force` says that it is not; UnknownRun.
 */
export async function deleteStudy(
  study: string,
  { yes = false, force = false }: { yes?: boolean | undefined; force?: boolean | undefined },
  context: CliContext,
): Promise<number> {
  const session = await tellingSession(force, context);
  try {
    return await withResults(context, async (results) => {
      const names = await runsNamed(study, results.runs);
      const question = `Delete the study ${study} with its ${names.length} runs?`;
      if (!yes && !(await mayDelete(question, study, context))) return EXIT.refused;
      let histories = (await session?.client.deleteStudy(study)) ?? 0;
      for (const run of names) histories += await removeRun(run, session, results);
      show(context, { study, runs: names.length, histories }, `${study}: deleted`);
      context.reporter.part(
        'Deleted',
        `${names.length} runs; the server deletes ${histories} histories. ${REMAINS}`,
      );
      return EXIT.ok;
    });
  } finally {
    await session?.close();
  }
}

/** @throws Failure UnknownRun where no run of the study is kept. */
async function runsNamed(study: string, runs: RunStore): Promise<string[]> {
  const names = studyRuns(await runs.list(), study).map(({ run }) => run);
  if (names.length === 0) {
    throw unknownStudy(study);
  }
  return names;
}
