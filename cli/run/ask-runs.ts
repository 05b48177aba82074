/** `eval`, `attach` and `retry`: starts or joins a run, and follows it until its end. */

import { WorkflowFailedError } from '@temporalio/client';
import type { RunHandle } from '../../client/run.js';
import { command, startWorkerAdvice } from '../../core/command.js';
import { Failure, type FailureType, traitsOf } from '../../core/failure.js';
import type { ForkInput } from '../../core/run/fork-input.js';
import type { RunSpec } from '../../core/run/input.js';
import { isFork } from '../../core/run/is-fork.js';
import type { RunProgress } from '../../core/run/run.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { awaitEnded } from '../await-ended.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { CommandFailure, EXIT, type ExitCode, refusalCode } from '../exit-codes.js';
import { Interrupted } from '../interrupt.js';
import { print } from '../print.js';
import { type CommandOutput, printNextStep, printOutput } from '../print-output.js';
import { withCommandLine } from '../recorded-command.js';
import { historyUrl, type Session, workerSession } from '../session.js';
import { findIfAnswered, isTakenUp, withWorker } from '../with-worker.js';
import { showRun } from './control.js';
import { type EvalRun, nameByContents } from './eval-input.js';
import { followRun } from './follow-run.js';
import { exitCodeOfRun, needsAnotherRequest, needsPerson, nextStep } from './next-step.js';
import { renderStatus } from './render-progress.js';
import {
  listedStatus,
  type RunStatus,
  statusFromManifest,
  statusOfProgress,
} from './run-status.js';
import { checkGateMetrics, reportScoreGates, type ScoreGates } from './score-gates.js';
import { sharedResources } from './shared.js';
import { statusJson } from './status-json.js';
import { resultsPlace, withRuns } from './with-runs.js';

/** A fork to be started, which has a name. */
interface ForkedRun {
  spec: ForkInput;
  isNamed: true;
}

/**
 * Flags of the commands that start a run: whether to ask failed questions again, whether to return
 * at once, and the gates.
 */
export interface RunFlags {
  /** Whether to ask the failed questions of an ended run once more. */
  again?: boolean;
  /** Whether to start the run and return at once. */
  detach?: boolean | undefined;
  /** Lowest scores that the runs must reach. */
  gates?: ScoreGates | undefined;
}

/**
 * Starts runs one after the other, or joins those that are under way, and follows each to its end,
 * or without a terminal to a pause that only a person can end. Uses the running Temporal server
 * and worker, or a local stack of its own. Ctrl-C leaves a run, which continues on other workers.
 * With `detach` each run is left once a worker has taken it up. Prints each run's status, or with
 * `detach` only its name and the next step.
 *
 * @returns The exit code of the process: the highest among the runs; but with gates, once all runs
 * have finished, 9 if a gate failed, else 10 if one is undecided.
 * @throws CommandFailure if a run failed or was stopped; Failure Connection with `detach` if no
 * worker answers.
 */
export async function askRuns(
  runs: readonly (EvalRun | ForkedRun)[],
  { again = false, detach, gates }: RunFlags,
  context: CliContext,
): Promise<number> {
  const statuses: RunStatus[] = [];
  for (const { spec: asked, isNamed } of runs) {
    const given = isFork(asked) ? withCommandLine(asked, context) : withCommandLine(asked, context);
    const start = async ({ client }: Session) => {
      if (isFork(given)) return client.fork(given, { again: await isAgain(given) });
      if (gates) await checkGateMetrics(gates.least, () => client.metricsOf(given));
      const spec = isNamed ? given : nameByContents(given, await client.contentsOf(given));
      return client.startRun(spec, { again: await isAgain(spec) });
      async function isAgain({ run }: { run: string }) {
        return again || (await isGone(run, client, context));
      }
    };
    const wanted = { what: 'run', find: start, stored: await storedIn(given, context) };
    const status = detach
      ? await leaveRun(start, context)
      : await withWorker(wanted, context, (handle, session) => finishRun(handle, session, context));
    statuses.push(status);
    if (!context.json && !detach) print(renderStatus(status).join('\n'));
    printNextStep(context, nextStep(status));
  }
  const [first, ...others] = statuses.map(statusJson);
  printOutput(context, { value: others.length === 0 ? first : [first, ...others] });
  const code = Math.max(...statuses.map(exitCodeOfRun)) as ExitCode;
  return gates ? reportScoreGates(statuses, gates, code, context) : code;
}

/**
 * Follows a run to its end, or without a terminal to a pause that only a person can end. Returns
 * the output of the command: the status and the next step.
 */
export async function attach(run: string, context: CliContext): Promise<CommandOutput> {
  const find = ({ client }: Session) => client.getRun(run);
  const status = await withWorker({ what: 'run', find }, context, (handle, session) =>
    finishRun(handle, session, context),
  );
  return showRun(status);
}

/**
 * Returns whether a run has finished and its results are gone, so that it is started again. Warns
 * about it.
 */
async function isGone(
  run: string,
  client: Session['client'],
  context: CliContext,
): Promise<boolean> {
  const summary = await client.describeRun(run);
  if (summary?.status !== 'COMPLETED') return false;
  const { isKept, place } = await keptHere(run, context);
  if (isKept) return false;
  context.reporter.warn(
    `${run} has finished, but its results are not in ${place}: it is started again. What the response cache has is not paid for again.`,
  );
  return true;
}

/**
 * Returns whether a run's results are in the store of this process, and the place of that store.
 * `isKept` is also true if the store cannot be read.
 */
async function keptHere(
  run: string,
  context: CliContext,
): Promise<{ isKept: boolean; place: string } & ReturnType<typeof statusFromManifest>> {
  try {
    return await withRuns(context, async (runs, config) => {
      const manifest = await runs.manifest(run);
      return {
        isKept: manifest !== undefined,
        place: resultsPlace(config),
        ...statusFromManifest(manifest),
      };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { isKept: true, place: '' };
  }
}

/**
 * Starts a run, returns its status and leaves it to a worker elsewhere; a worker of this process
 * would end with it.
 *
 * @throws Failure Connection if no worker answers.
 */
function leaveRun(
  start: (session: Session) => Promise<RunHandle>,
  context: CliContext,
): Promise<RunStatus> {
  return closing(workerSession(context), async (session) => {
    const handle = await findIfAnswered(start, session);
    if (!handle || !(await isTakenUp(handle))) {
      const begins = handle ? ` The run "${handle.run}" begins when there is one.` : '';
      throw new Failure('Connection', `No worker answers: ${startWorkerAdvice()}.${begins}`);
    }
    announce(handle, session, context);
    const summary = await session.client.describeRun(handle.run);
    if (summary) return listedStatus(summary, undefined, '');
    throw unknownRun(handle.run, ' that Temporal knows of');
  });
}

/** Prints the run's name and the URL of its history. */
function announce(
  { run, workflowId }: RunHandle,
  session: Session,
  { reporter }: CliContext,
): void {
  const url = historyUrl(session, workflowId);
  reporter.part('Run', url === undefined ? run : `${run}  ${url}`);
}

/**
 * Follows a run to its end and returns its status. Without a terminal it also returns at a pause
 * that only a person can end.
 *
 * @throws CommandFailure if the run failed or was stopped.
 */
async function finishRun(
  handle: RunHandle,
  session: Session,
  context: CliContext,
): Promise<RunStatus> {
  announce(handle, session, context);
  const following = followRun(handle, besideOf(session, handle), (progress) => {
    const { pause, running } = progress;
    const isLeft = !process.stderr.isTTY && pause && running === 0 && needsPerson(pause);
    return isLeft ? progress : undefined;
  });
  const progress = await awaitEnd(handle, following, session, context);
  if (progress.pause) return statusOfProgress(progress, true, '');
  const { isKept, place, ...kept } = await keptHere(handle.run, context);
  return { ...statusOfProgress(progress, isKept, place), ...kept };
}

/**
 * Starts a run or a fork, or continues one that failed, is paused or has failed questions. Waits
 * for its end, or until its budget is spent, and returns its last progress. Writes nothing to
 * standard output.
 *
 * @throws CommandFailure with the reason if the run is paused by a failure that every question
 * would meet, or, without a terminal, by one that only a person can end.
 */
export async function completeRun(
  spec: RunSpec | ForkInput,
  context: CliContext,
): Promise<RunProgress> {
  const start = ({ client }: Session) =>
    isFork(spec) ? client.fork(spec, { again: true }) : client.startRun(spec, { again: true });
  const wanted = { what: 'run', find: start, stored: await storedIn(spec, context) };
  return withWorker(wanted, context, async (handle, session) => {
    announce(handle, session, context);
    if ((await handle.progress().catch(() => undefined))?.pause) {
      const { budgetUsd } = spec;
      if (budgetUsd !== undefined) await handle.set({ budgetUsd });
      await handle.resume();
    }
    const following = followRun(handle, besideOf(session, handle), (progress) => {
      const { pause, running } = progress;
      if (!pause || !needsPerson(pause)) return undefined;
      if (isFailure(pause.reason)) throw pausedForGood(handle.run, pause.reason, pause.message);
      if (running > 0) return undefined;
      if (pause.reason === 'budget') return progress;
      if (process.stderr.isTTY) return undefined;
      throw pausedForGood(handle.run, 'Conflict', pause.message);
    });
    const ended = await awaitEnd(handle, following, session, context);
    if (ended.pause) {
      const { pause, done, questions } = ended;
      context.reporter.warn(
        `${handle.run}: ${pause.message} ${done} of ${plural(questions, 'question')} have ended; with a larger --budget-usd the same command continues.`,
      );
    }
    return ended;
  });
}

function pausedForGood(run: string, reason: FailureType, message: string): CommandFailure {
  return new CommandFailure(
    EXIT.paused,
    new Failure(reason, message),
    needsAnotherRequest(reason)
      ? `${command('cancel', run)}, then the command with what the reason asks for and another --name`
      : 'mend the reason, then the same command again',
  );
}

/**
 * Returns references to the data sets that must be in the store before the run starts: none for a
 * fork and for a run that exists.
 */
async function storedIn(spec: RunSpec | ForkInput, context: CliContext): Promise<string[]> {
  if (isFork(spec) || typeof spec.dataset !== 'string') return [];
  const { isKept } = await keptHere(spec.run, context);
  return isKept ? [] : [spec.dataset];
}

function besideOf({ client }: Session, { run }: RunHandle) {
  return async () => (await sharedResources(client, run)).lines;
}

/** Returns whether a pause has a failure as its reason that every question would meet. */
function isFailure(reason: string): reason is FailureType {
  const { common, commonIfFirst } = traitsOf(reason);
  return common === true || commonIfFirst === true;
}

/**
 * Waits for the end of a run and returns its progress.
 *
 * @throws CommandFailure if the run failed or was stopped; Interrupted on Ctrl-C.
 */
async function awaitEnd(
  { run }: RunHandle,
  following: Promise<RunProgress>,
  session: Session,
  context: CliContext,
): Promise<RunProgress> {
  const followed = following.catch(async (error: unknown) => {
    throw (await endedOtherwise(run, error, session.client)) ?? error;
  });
  try {
    return await awaitEnded(followed, session, context);
  } catch (error) {
    if (error instanceof Interrupted) {
      const how = session.stack
        ? `it waits until "${command('attach', run)}" starts a worker again`
        : `it continues; "${command('attach', run)}" follows it again`;
      context.reporter.part('Left', `${run}: ${how}.`);
    }
    throw error;
  }
}

/**
 * Returns the failure of a run that ended without finishing; undefined if it is still running, or
 * the error is about something else.
 */
async function endedOtherwise(
  run: string,
  error: unknown,
  client: Session['client'],
): Promise<CommandFailure | undefined> {
  const isOfRun = error instanceof WorkflowFailedError || error instanceof Failure;
  if (!isOfRun || error instanceof CommandFailure) return undefined;
  const summary = await client.describeRun(run);
  if (!summary || summary.status === 'RUNNING') return undefined;
  const status = listedStatus(summary, undefined, '');
  const failure =
    error instanceof Failure
      ? error
      : new Failure('Conflict', `The run "${run}" was ${status.state}; what has ended is kept.`);
  const isBegun = status.state !== 'failed';
  const code = summary.failure?.unbegun ? refusalCode(failure) : EXIT.runFailed;
  return new CommandFailure(code, failure, nextStep({ ...status, isKept: isBegun }));
}
