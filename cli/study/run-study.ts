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
import type { Output } from '../print-output.js';
import { withRuns } from '../run/with-runs.js';
import { historyUrl, type Session, workerSession } from '../session.js';
import { tuneOutcome } from '../tune/outcome.js';
import { withCommandLine } from '../typed-line.js';
import { watch } from '../watch.js';
import { withWorker } from '../with-worker.js';
import { cellsIn, type StudyFile, storeDatasets, storedIn } from './study-file.js';

/**
 * Starts a study, or joins it, and follows it to its end.
 *
 * @throws Failure Conflict if the study is under way with other cells, or was started with another
 * stopping rule.
 */
export async function runStudy(
  read: StudyFile,
  { detach = false }: { detach?: boolean | undefined },
  context: CliContext,
): Promise<Output> {
  const datasets = await storeDatasets(read, context);
  const names = cellsIn(read, datasets, context).flatMap(({ runs }) => runs);
  await tellChanges(read.study, names, context);
  const input = withCommandLine(read.input, context);
  const find = ({ client }: Session) => client.study(input, datasets);
  const work = async (handle: StudyHandle, session: Session): Promise<Output> => {
    const url = historyUrl(session, handle.workflowId);
    context.reporter.part('Study', url === undefined ? handle.study : `${handle.study}  ${url}`);
    return outputOf(detach ? await handle.progress() : await followStudy(handle, session, context));
  };
  if (!detach) return withWorker({ what: 'study', find, stored: storedIn(read) }, context, work);
  return closing(workerSession(context), async (session) => work(await find(session), session));
}

/**
 * Prints which runs are new, which exist, and which belong to cells that the file no longer has.
 */
async function tellChanges(
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

/** Follows a study, and returns its last progress: at its end, or without a terminal at a pause. */
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

/** Returns a study's status, the next step, and the exit code for its state. */
function outputOf(progress: StudyProgress): Output {
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
 * Returns how a study stands that was followed; of a tune that has ended, what came of it.
 *
 * @param folder Into which a tune writes what was shown.
 */
export async function endedOutput(
  progress: StudyProgress,
  folder: string,
  context: CliContext,
): Promise<Output> {
  if (progress.state !== 'finished' || !progress.stage) return outputOf(progress);
  return tuneOutcome(progress.study, folder, context);
}

/** Returns a study's status as JSON and as text. */
export function statusOutput(progress: StudyProgress): Output {
  return { value: progress, text: renderStudy(progress).join('\n') };
}

/** Finds a study, or starts it again, and follows it. */
export function followCommand(
  find: (client: Session['client'], study: string) => Promise<StudyHandle>,
) {
  return (study: string, context: CliContext): Promise<Output> => {
    const wanted = { what: 'study', find: ({ client }: Session) => find(client, study) };
    return withWorker(wanted, context, async (handle, session) =>
      endedOutput(await followStudy(handle, session, context), '.', context),
    );
  };
}

/** Cancels a study with all its runs, and returns its status; ended questions are kept. */
export function cancelStudy(study: string, context: CliContext): Promise<Output> {
  return closing(workerSession(context), async ({ client }) => {
    const handle = await client.getStudy(study);
    if ((await handle.progress()).state === 'finished')
      throw new Failure('Conflict', `The study "${study}" is not under way: it is finished.`);
    await handle.cancel();
    await handle.result().catch(() => {});
    context.reporter.part(
      'Cancelled',
      `${study}; the command that started it goes on with the rest`,
    );
    return { value: { study, cancelled: true } };
  });
}

/** Returns a study's status, with the exit code for its state. */
export function showStudy(study: string, context: CliContext): Promise<Output> {
  return closing(workerSession(context), async ({ client }) =>
    outputOf(await (await client.getStudy(study)).progress()),
  );
}

/** Returns a command that changes a study and shows its status afterwards. */
export function steering(act: (handle: StudyHandle) => Promise<StudyProgress>) {
  return (study: string, context: CliContext): Promise<Output> =>
    closing(workerSession(context), async ({ client }) =>
      statusOutput(await act(await client.getStudy(study))),
    );
}

function studyLine(progress: StudyProgress): string {
  return `${progress.study}: ${studyProgressLine(progress)}`;
}

/** A line of the study, and one for each of its runs and decisions. */
function renderStudy(progress: StudyProgress): string[] {
  const rows = progress.runs.map(({ run, state, questions, done, failed, failure }) => {
    const asked = questions > 0 ? `${done} of ${questions}` : '';
    const wrong = failed > 0 ? `, ${failed} failed` : '';
    return `  ${run}  ${state}  ${asked}${wrong}${failure ? `: ${failure}` : ''}`.trimEnd();
  });
  const decided = progress.decisions?.map(
    ({ method, dataset, model, metric, said }) =>
      `  ${method}, ${dataset}, ${model}: ${metric}: ${said}`,
  );
  return [studyLine(progress), ...rows, ...(decided ?? [])];
}
