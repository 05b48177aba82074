/**
 * `runs delete`, `runs export`, `runs import`: deletes, archives and restores the results of runs.
 */
import type { Results } from '../../client/open-results.js';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { EEE_SCHEMA, eeeRecord } from '../../evaluation/runs/export-eee.js';
import { figuresOf } from '../../evaluation/runs/run-figures.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { readRunArchive, writeRunArchive } from '../../stores/runs/run-archive.js';
import { closing } from '../closing.js';
import { isConfirmed, isInteractive } from '../confirmed.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { type CommandOutput, checkOut, writeOut } from '../print-output.js';
import { type Session, serverSession } from '../session.js';
import { withResults } from './with-runs.js';

const REMAINS =
  'What remains: the response cache, which serves other runs, and passages that came with questions; "store prune" deletes what is old and nothing uses.';

/**
 * Flags of the commands that delete results: whether to skip the confirmation, and whether to
 * delete without a server.
 */
export interface DeleteFlags {
  yes?: boolean | undefined;
  /** Whether to delete even if no Temporal server can tell whether the run is under way. */
  force?: boolean | undefined;
}

/** A run or study to be deleted, with the question to confirm it. */
interface Deletion {
  question: string;
  runs: readonly string[];
  /** Confirmation after the deletion, as JSON and as text. */
  confirmation: object;
  what: string;
  /** Deletes other histories first, and returns how many. */
  before?(): Promise<number>;
}

/**
 * Deletes the results of runs, the texts that were imported with them, and their histories in
 * Temporal, after a confirmation. Returns the output of the command; its exit code is 7 if the user
 * declines.
 *
 * @param name Name of the run or study.
 * @param find Returns the runs to delete, or throws if they must stay.
 * @throws Failure Connection if no server answers that could tell whether they are under way,
 * without `force`; BadInput if no terminal can confirm.
 */
export async function deleteFound(
  name: string,
  { yes = false, force = false }: DeleteFlags,
  context: CliContext,
  find: (results: Results, session: Session | undefined) => Promise<Deletion>,
): Promise<CommandOutput> {
  const opening = serverSession(context).catch(force ? () => undefined : rethrowWithForceAdvice);
  const remove = async (results: Results, session: Session | undefined): Promise<CommandOutput> => {
    const { question, runs, confirmation, what, before } = await find(results, session);
    if (!yes && !isInteractive()) {
      throw new Failure('BadInput', '--yes: is needed without a terminal to ask on');
    }
    if (!yes && !(await isConfirmed(question, 'no', context))) {
      context.reporter.part('Kept', name);
      return { code: EXIT.refused };
    }
    let histories = (await before?.()) ?? 0;
    for (const run of runs) {
      // Temporal first: results without a history are still listed, and can be deleted again.
      histories += (await session?.client.deleteRun(run)) ?? 0;
      await results.runs.remove(run);
      await results.imported.remove(run);
    }
    const deleted = `${what}; the server deletes ${histories} histories. ${REMAINS}`;
    context.reporter.part('Deleted', deleted);
    return { value: { ...confirmation, histories }, text: `${name}: deleted` };
  };
  return closing(opening, (session) => withResults(context, (results) => remove(results, session)));
}

/**
 * Deletes the results and histories of a run, after a confirmation, and returns the output of the
 * command.
 *
 * @throws Failure Conflict while it is under way; UnknownRun; and as `deleteFound`.
 */
export function deleteRun(
  run: string,
  flags: DeleteFlags,
  context: CliContext,
): Promise<CommandOutput> {
  return deleteFound(run, flags, context, async ({ runs }, session) => {
    const summary = await session?.client.describeRun(run);
    if (summary?.status === 'RUNNING') {
      throw new Failure(
        'Conflict',
        `The run "${run}" is under way: "${command('cancel', run)}" first.`,
      );
    }
    const manifest = await runs.manifest(run).catch(undefinedIfDamaged);
    if (manifest === undefined && !summary) throw unknownRun(run);
    const begun = manifest ? ` (${manifest.questions} questions, begun ${manifest.createdAt})` : '';
    return {
      question: `Delete the run ${run}${begun}?`,
      runs: [run],
      what: run,
      confirmation: { run, questions: manifest?.questions ?? null },
    };
  });
}

/**
 * Rethrows an error of connecting to the server. The message of a Failure then tells why the
 * command needs the server.
 *
 * @throws Always.
 */
export function rethrowWithForceAdvice(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  throw new Failure(
    error.type,
    `${error.message}. The server could tell whether the run is under way; --force deletes without asking it.`,
  );
}

/** Returns null for a damaged manifest, so that its run can be deleted; throws any other error. */
function undefinedIfDamaged(error: unknown): null {
  if (error instanceof Failure && error.type === 'Damaged') return null;
  throw error;
}

/**
 * Writes a run with the texts of its passages into an archive, and returns the output of the
 * command: as JSON an object with `file`, `run`, and the numbers of `questions`, `answers`,
 * `passages` and `missing` passages. Warns about missing answers and passages.
 *
 * @throws Failure UnknownRun; BadInput if the file is a folder.
 */
export function exportRunArchive(
  run: string,
  file: string,
  context: CliContext,
): Promise<CommandOutput> {
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
    return {
      value: { file, ...summary },
      text: `${run}: ${answers} answers, ${passages} passages into ${file}`,
      next: `on the other machine: ${command('runs', 'import', file)}`,
    };
  });
}

/**
 * Writes the scores of a run to a JSON file in the form of Every Eval Ever, and returns the output
 * of the command: as JSON an object with `file`, `run`, the version of the form (`schema`), and
 * the number of metrics (`metrics`). Warns about missing answers.
 *
 * @throws Failure UnknownRun; BadInput if the file is a folder.
 */
export function exportEee(run: string, file: string, context: CliContext): Promise<CommandOutput> {
  checkOut(file, `${run}.json`);
  return withResults(context, async ({ runs }) => {
    const figures = await figuresOf(await openRun(runs, run));
    const { ended, metrics, manifest } = figures;
    if (ended < manifest.questions) {
      context.reporter.warn(
        `${manifest.questions - ended} questions of ${run} have no answer yet.`,
      );
    }
    await writeOut(file, (write) => write(`${JSON.stringify(eeeRecord(figures), undefined, 2)}\n`));
    return {
      value: { file, run, schema: EEE_SCHEMA, metrics: metrics.length },
      text: `${run}: ${metrics.length} metrics into ${file}`,
    };
  });
}

/**
 * Imports a run from an archive, and returns the output of the command.
 *
 * @throws Failure BadInput for a file that is not an archive; Damaged for a damaged one; Conflict
 * if a run of that name exists.
 */
export function importRunArchive(
  file: string,
  { name }: { name?: string | undefined },
  context: CliContext,
): Promise<CommandOutput> {
  return withResults(context, async (results) => {
    const summary = await readRunArchive(file, results, name);
    const { run, answers, passages } = summary;
    return {
      value: { file, ...summary },
      text: `${run}: ${answers} answers, ${passages} passages`,
      next: command('report', run),
    };
  });
}
