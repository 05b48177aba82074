/** `runs delete`, `runs export`, `runs import`: what is kept of a run, away, out and in. */
import type { Results } from '../../client/open-results.js';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { readRunArchive, writeRunArchive } from '../../stores/runs/run-archive.js';
import { canAnswer, isConfirmed } from '../confirmed.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { checkOut, sayNext, show } from '../output.js';
import { type Session, serverSession } from '../session.js';
import { withResults } from './with-runs.js';

export const REMAINS =
  'What remains: the response cache, which serves other runs, and passages that came with questions; "store prune" deletes what is old and nothing uses.';

/**
 * Deletes the results of a run, the texts that came with an import, and its histories in Temporal.
 *
 * @throws Failure Conflict while it is under way; Connection where no server answers that could
 *   tell, unless `force` says that it is not; UnknownRun.
 */
export async function deleteRun(
  run: string,
  { yes = false, force = false }: { yes?: boolean | undefined; force?: boolean | undefined },
  context: CliContext,
): Promise<number> {
  const session = await tellingSession(force, context);
  try {
    return await withResults(context, async ({ runs, imported }) => {
      const summary = await session?.client.describeRun(run);
      if (summary?.status === 'RUNNING') {
        throw new Failure(
          'Conflict',
          `The run "${run}" is under way: "${command('cancel', run)}" first.`,
        );
      }
      const manifest = await runs.manifest(run).catch(undefinedIfDamaged);
      if (manifest === undefined && !summary) {
        throw unknownRun(run);
      }
      const what = manifest ? `${manifest?.questions} questions, begun ${manifest.createdAt}` : '';
      const question = `Delete the run ${run}${what && ` (${what})`}?`;
      if (!yes && !(await mayDelete(question, run, context))) return EXIT.refused;
      const histories = await removeRun(run, session, { runs, imported });
      show(context, { run, questions: manifest?.questions ?? null, histories }, `${run}: deleted`);
      context.reporter.part(
        'Deleted',
        `${run}; the server deletes its ${histories} histories. ${REMAINS}`,
      );
      return EXIT.ok;
    });
  } finally {
    await session?.close();
  }
}

/** The server that knows what is under way; with `force`, only where one answers. */
export function tellingSession(force: boolean, context: CliContext): Promise<Session | undefined> {
  return force
    ? serverSession(context).catch(() => undefined)
    : serverSession(context).catch(cannotTell);
}

/** @throws Failure BadInput where nobody can be asked. */
export async function mayDelete(
  question: string,
  name: string,
  context: CliContext,
): Promise<boolean> {
  if (!canAnswer()) throw new Failure('BadInput', '--yes: is needed where nobody can be asked');
  if (await isConfirmed(question, 'no', context)) return true;
  context.reporter.part('Kept', name);
  return false;
}

/** Deletes everything of a run, and returns how many histories the server deletes. */
export async function removeRun(
  run: string,
  session: Session | undefined,
  { runs, imported }: Pick<Results, 'imported' | 'runs'>,
): Promise<number> {
  // Temporal first: what is kept without it is shown as what it is, and can be deleted again.
  const histories = (await session?.client.deleteRun(run)) ?? 0;
  await runs.remove(run);
  await imported.remove(run);
  return histories;
}

function cannotTell(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  throw new Failure(
    error.type,
    `${error.message}. It could tell whether the run is under way; --force deletes it without.`,
  );
}

/** A damaged run can be deleted. */
function undefinedIfDamaged(error: unknown): null {
  if (error instanceof Failure && error.type === 'Damaged') return null;
  throw error;
}

export function exportRun(run: string, file: string, context: CliContext): Promise<number> {
  checkOut(file, `${run}.tar.gz`);
  return withResults(context, async ({ runs, texts }) => {
    const summary = await writeRunArchive(run, file, { runs, texts });
    const { questions, answers, passages, missing } = summary;
    if (answers < questions) {
      context.reporter.warn(`${questions - answers} questions of ${run} have no answer yet.`);
    }
    if (missing > 0) {
      context.reporter.warn(
        `${missing} passages are no longer there: a report shows them by title.`,
      );
    }
    const text = `${run}: ${answers} answers, ${passages} passages into ${file}`;
    show(context, { file, ...summary }, text);
    sayNext(context, `on the other machine: ${command('runs', 'import', file)}`);
    return EXIT.ok;
  });
}

export function importRun(
  file: string,
  { name }: { name?: string | undefined },
  context: CliContext,
): Promise<number> {
  return withResults(context, async (results) => {
    const summary = await readRunArchive(file, results, name);
    const { run, answers, passages } = summary;
    show(context, { file, ...summary }, `${run}: ${answers} answers, ${passages} passages`);
    sayNext(context, command('report', run));
    return EXIT.ok;
  });
}
