/** `study run`, and the commands that control a study under way. */

import { isDeepStrictEqual } from 'node:util';
import type { StudyHandle } from '../../client/study.js';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { StudyProgress } from '../../core/study/cell.js';
import { studyProgressLine } from '../../core/study/cell-progress.js';
import type { Study } from '../../core/study/study.js';
import { studyRuns } from '../../evaluation/study/study-of.js';
import { awaitEnded } from '../await-ended.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { printToStderr } from '../print.js';
import type { CommandOutput } from '../print-output.js';
import { withCommandLine } from '../recorded-command.js';
import { withRuns } from '../run/with-runs.js';
import { historyUrl, type Session, workerSession } from '../session.js';
import { tuneOutcome } from '../tune/outcome.js';
import { watch } from '../watch.js';
import { withWorker } from '../with-worker.js';
import { type CheckedStudy, cellsIn, storeDatasets, storedReferences } from './study-file.js';

/**
 * Stores the data sets that a study names by a file, starts the study, or joins it if it is
 * running, and follows it to its end, or without a terminal to a pause. Returns the output of the
 * command: its state and the next step. With `detach` returns at once.
 *
 * @throws Failure Conflict if the study is under way with other cells, or was started with another
 * stopping rule; Connection with `detach` if no worker polls.
 */
export async function runStudy(
  read: CheckedStudy,
  { detach = false }: { detach?: boolean | undefined },
  context: CliContext,
): Promise<CommandOutput> {
  const datasets = await storeDatasets(read, context);
  const names = cellsIn(read, datasets, context).flatMap(({ runs }) => runs);
  await printChanges(read.study, names, context);
  const input = withCommandLine(read.input, context);
  const find = ({ client }: Session) => client.study(input, datasets);
  const work = async (handle: StudyHandle, session: Session): Promise<CommandOutput> => {
    const url = historyUrl(session, handle.workflowId);
    context.reporter.part('Study', url === undefined ? handle.study : `${handle.study}  ${url}`);
    return outputOf(detach ? await handle.progress() : await followStudy(handle, session, context));
  };
  if (!detach)
    return withWorker({ what: 'study', find, stored: storedReferences(read) }, context, work);
  return closing(workerSession(context), async (session) => work(await find(session), session));
}

/**
 * Prints how many cells there are, how many existed before, and which runs belong to cells that the
 * study no longer has.
 *
 * @throws Failure Conflict if a run was started with another stopping rule.
 */
async function printChanges(
  { name, untilDecided }: Study,
  runs: readonly string[],
  context: CliContext,
): Promise<void> {
  const manifests = await withRuns(context, async (store) => studyRuns(await store.list(), name));
  const kept = manifests.map(({ run }) => run);
  for (const { run, input } of manifests) {
    const rule = input.study?.untilDecided;
    if (!untilDecided || !runs.includes(run) || isDeepStrictEqual(rule, untilDecided)) continue;
    const begun = rule ? `until decided by ${JSON.stringify(rule)}` : 'without --until-decided';
    throw new Failure(
      'Conflict',
      `${run} was begun ${begun}. When a study stops is fixed before its first question: give it another name, or keep to that.`,
    );
  }
  const begun = runs.filter((run) => kept.includes(run));
  const gone = kept.filter((run) => !runs.includes(run));
  const parts = [
    `${runs.length} runs`,
    ...(begun.length > 0 ? [`${begun.length} of them begun before`] : []),
  ];
  context.reporter.part('Cells', parts.join(', '));
  for (const run of gone) {
    const what = `${run} is of a cell that is changed or gone; it stays in the table until`;
    context.reporter.part('Gone', `${what} "${command('runs', 'delete', run)}"`);
  }
}

/**
 * Shows the progress of a study on standard error, and returns its last progress: at its end, or
 * without a terminal also at a pause.
 */
export async function followStudy(
  handle: StudyHandle,
  session: Session,
  context: CliContext,
): Promise<StudyProgress> {
  let printed = '';
  const following = watch(handle, {
    text: 'waiting for a worker',
    pollMs: 1_000,
    answerMs: 5_000,
    last: true,
    show(progress, line) {
      line.text = renderStudy(progress).join('\n');
      const state = studyLine(progress);
      if (!process.stderr.isTTY && state !== printed) printToStderr(state);
      printed = state;
      return progress.state === 'paused' && !process.stderr.isTTY ? progress : undefined;
    },
  });
  return awaitEnded(following, session, context);
}

/**
 * Returns a study's status as the output of a command, with the next step and the exit code for its
 * state.
 */
function outputOf(progress: StudyProgress): CommandOutput {
  const { study, state, stage, pause, runs } = progress;
  const stands = statusOutput(progress);
  if (state === 'paused') {
    const more = `${command('study', 'set', study, '--budget-usd', '...')}, then `;
    const resume = command('study', 'resume', study);
    const next = pause?.reason === 'budget' ? more + resume : resume;
    return { ...stands, next, code: EXIT.paused };
  }
  if (state !== 'finished') return { ...stands, code: EXIT.ok };
  if (runs.some((run) => run.state === 'failed')) {
    return { ...stands, next: command('study', 'retry', study), code: EXIT.runFailed };
  }
  if (runs.some((run) => run.failed > 0)) {
    return { ...stands, next: command('study', 'retry', study), code: EXIT.unanswered };
  }
  const kind = stage ? 'tune' : 'study';
  return { ...stands, next: command(kind, 'table', study), code: EXIT.ok };
}

/**
 * Returns the output of a command that followed a study: its status; for a tune that has ended,
 * its result, after writing its files.
 *
 * @param folder Folder into which a tune writes its files.
 */
export async function endedOutput(
  progress: StudyProgress,
  folder: string,
  context: CliContext,
): Promise<CommandOutput> {
  if (progress.state !== 'finished' || !progress.stage) return outputOf(progress);
  return tuneOutcome(progress.study, folder, context);
}

/** Returns a study's status as JSON and as text, without a next step or an exit code. */
export function statusOutput(progress: StudyProgress): CommandOutput {
  return { value: progress, text: renderStudy(progress).join('\n') };
}

/**
 * Returns the function of a command that follows a study to its end, or without a terminal to a
 * pause, and returns its status as output. For a tune that has ended, it writes the files of its
 * result into the working directory.
 *
 * @param find Returns the handle of the study, which it may start again.
 */
export function followCommand(
  find: (client: Session['client'], study: string) => Promise<StudyHandle>,
) {
  return (study: string, context: CliContext): Promise<CommandOutput> => {
    const wanted = { what: 'study', find: ({ client }: Session) => find(client, study) };
    return withWorker(wanted, context, async (handle, session) =>
      endedOutput(await followStudy(handle, session, context), '.', context),
    );
  };
}

/**
 * Cancels a study with all its runs, waits for its end, and returns the output of the command: its
 * name and `cancelled`, as JSON only. Ended questions are kept.
 *
 * @throws Failure UnknownRun; Conflict if it has finished; Connection if no worker polls.
 */
export function cancelStudy(study: string, context: CliContext): Promise<CommandOutput> {
  return closing(workerSession(context), async ({ client }) => {
    const handle = await client.getStudy(study);
    if ((await handle.progress()).state === 'finished')
      throw new Failure('Conflict', `The study "${study}" is not under way: it is finished.`);
    await handle.cancel();
    await handle.result().catch(() => {});
    context.reporter.part(
      'Cancelled',
      `${study}; the command that started it continues with the rest`,
    );
    return { value: { study, cancelled: true } };
  });
}

/**
 * Returns the output of `study status`: the state of a study, with the exit code for it: 5 if it
 * is paused; for a finished one 4 if a run failed, else 3 if a question failed; otherwise 0.
 *
 * @throws Failure Connection if no worker polls.
 */
export function showStudy(study: string, context: CliContext): Promise<CommandOutput> {
  return closing(workerSession(context), async ({ client }) =>
    outputOf(await (await client.getStudy(study)).progress()),
  );
}

/**
 * Returns the function of a command that changes a study under way. The function takes the name of
 * the study and the context, and returns the status after the change as output.
 *
 * @param act Changes the study, and returns its progress.
 */
export function changingStudy(act: (handle: StudyHandle) => Promise<StudyProgress>) {
  return (study: string, context: CliContext): Promise<CommandOutput> =>
    closing(workerSession(context), async ({ client }) =>
      statusOutput(await act(await client.getStudy(study))),
    );
}

function studyLine(progress: StudyProgress): string {
  return `${progress.study}: ${studyProgressLine(progress)}`;
}

/** Returns a line about the study, and one for each of its runs and decisions. */
function renderStudy(progress: StudyProgress): string[] {
  const rows = progress.runs.map(({ run, state, questions, done, failed, failure }) => {
    const asked = questions > 0 ? `${done} of ${questions}` : '';
    const wrong = failed > 0 ? `, ${failed} failed` : '';
    return `  ${run}  ${state}  ${asked}${wrong}${failure ? `: ${failure}` : ''}`.trimEnd();
  });
  const decided = progress.decisions?.map(
    ({ method, dataset, model, metric, summary: said }) =>
      `  ${method}, ${dataset}, ${model}: ${metric}: ${said}`,
  );
  return [studyLine(progress), ...rows, ...(decided ?? [])];
}
