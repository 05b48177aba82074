/** Shows and controls runs: `runs`, `status`, `pause`, `resume`, `cancel`, `set`. */

import type { DurableRagClient } from '../../client/create-client.js';
import type { RunHandle } from '../../client/run.js';
import { command, startWorkerAdvice } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { RunProgress } from '../../core/run/run.js';
import { checkSettings } from '../../core/run/run-settings.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { namingFlags, type TypedInput } from '../flags.js';
import type { CommandOutput } from '../print-output.js';
import { noneIfUnreachable, serverSession, workerSession } from '../session.js';
import { isTakenUp } from '../with-worker.js';
import { exitCodeOfRun, nextStep } from './next-step.js';
import { renderStatus, renderStatusLine } from './render-progress.js';
import {
  listedStatus,
  listedStoredStatus,
  type RunPlaces,
  type RunStatus,
  runStatus,
  statusOfProgress,
} from './run-status.js';
import { noSharedResources, type SharedResources, sharedResources } from './shared.js';
import { statusJson } from './status-json.js';
import { resultsPlace, withRuns } from './with-runs.js';

/**
 * Returns the output of `runs`: the newest 100 runs of the task queue that Temporal knows, without
 * refused ones, then all other stored runs, each with its state; as JSON an array of objects, as
 * text one line for each.
 */
export function listRuns(context: CliContext): Promise<CommandOutput> {
  return withPlaces(context, async (places, client) => {
    const kept = new Map((await places.runs.list()).map((one) => [one.run, one]));
    // For a refused start there is nothing to show except an earlier run of the same name.
    const known = ((await client?.listRuns()) ?? []).filter(({ failure }) => !failure?.unbegun);
    const names = new Set(known.map(({ run }) => run));
    const statuses = [
      ...known.map((summary) => listedStatus(summary, kept.get(summary.run), places.place)),
      ...[...kept.values()].filter(({ run }) => !names.has(run)).map(listedStoredStatus),
    ];
    const lines = statuses.map(renderStatusLine);
    if (lines.length === 0) lines.push(`There is no run yet; "${command('eval')}" starts one.`);
    const text = [...lines, ...(await sharedResources(client)).lines].join('\n');
    return { value: statuses.map(statusJson), text };
  });
}

/**
 * Returns the output of `status`: the state of a run, with the exit code for it. Works without a
 * server, from the stored results.
 *
 * @throws Failure UnknownRun.
 */
export function showStatus(run: string, context: CliContext): Promise<CommandOutput> {
  return withPlaces(context, async (places, client) =>
    showRun(await runStatus(run, places), await sharedResources(client, run)),
  );
}

/**
 * Returns a run's status as the output of a command, with the next step and the exit code for its
 * state.
 *
 * @param shared Limits and batches that it shares with the other runs of the task queue.
 */
export function showRun(
  status: RunStatus,
  { limits, lines }: SharedResources = noSharedResources,
): CommandOutput {
  return {
    value: { ...statusJson(status), limits },
    text: [...renderStatus(status), ...lines].join('\n'),
    next: nextStep(status),
    code: exitCodeOfRun(status),
  };
}

/**
 * Calls `work` with the stores and the client, and returns its result. Without a server it warns,
 * and the client is undefined.
 */
function withPlaces<T>(
  context: CliContext,
  work: (places: RunPlaces, client: DurableRagClient | undefined) => Promise<T>,
): Promise<T> {
  return withRuns(context, async (runs, config) => {
    const opening = serverSession(context).catch((error: unknown) => {
      noneIfUnreachable(error);
      context.reporter.warn(`${(error as Error).message}. What is kept is shown without it.`);
      return undefined;
    });
    return closing(opening, (session) => {
      const describe = session && ((run: string) => session.client.describeRun(run));
      return work({ runs, place: resultsPlace(config), describe }, session?.client);
    });
  });
}

/**
 * Changes the limits of a run under way, and returns its status as the output of the command.
 *
 * @throws Failure BadInput if no setting is given or one is wrong; UnknownRun; Conflict if it is
 * not under way; Connection if no worker answers.
 */
export async function setRun(
  run: string,
  typed: TypedInput,
  context: CliContext,
): Promise<CommandOutput> {
  const settings = namingFlags(typed, () => checkSettings(typed.fields));
  if (Object.keys(settings).length === 0) {
    throw new Failure(
      'BadInput',
      `Say what to set; ${command('set', '--help')} shows what there is.`,
    );
  }
  return changingRun((handle) => handle.set(settings))(run, context);
}

/**
 * Cancels a run with all its questions under way, waits for its end, and returns its status as the
 * output of the command. Ended questions are kept.
 *
 * @throws Failure UnknownRun; Conflict if it is not under way; Connection if no worker answers:
 * the run then ends once one does.
 */
export async function cancelRun(run: string, context: CliContext): Promise<CommandOutput> {
  await closing(workerSession(context), async ({ client }) => {
    const handle = await client.getRun(run);
    await checkUnderWay(run, client);
    const isAnswered = await isTakenUp(handle);
    await handle.cancel();
    if (!isAnswered) {
      throw new Failure(
        'Connection',
        `The run "${run}" is being cancelled, but no worker answers. It ends once one does: ${startWorkerAdvice()}.`,
      );
    }
    await handle.result().catch(() => {});
  });
  return withPlaces(context, async (places) => ({
    ...showRun(await runStatus(run, places)),
    code: EXIT.ok,
  }));
}

/** Throws if a run has ended. @throws Failure Conflict. */
async function checkUnderWay(
  run: string,
  client: { describeRun: NonNullable<RunPlaces['describe']> },
): Promise<void> {
  const summary = await client.describeRun(run);
  if (!summary || summary.status === 'RUNNING') return;
  const ended = summary.status === 'COMPLETED' ? 'finished' : summary.status.toLowerCase();
  throw new Failure('Conflict', `The run "${run}" is not under way: it is ${ended}.`);
}

/**
 * Returns the function of a command that changes a run under way. The function takes the name of
 * the run and the context, and returns the status after the change as output. It throws Failure
 * UnknownRun, Conflict if the run is not under way, and Connection if no worker answers.
 *
 * @param act Changes the run, and returns its progress, from which the status is made.
 */
export function changingRun(act: (handle: RunHandle) => Promise<RunProgress>) {
  return (run: string, context: CliContext): Promise<CommandOutput> =>
    closing(workerSession(context), async ({ client }) => {
      const handle = await client.getRun(run);
      await checkUnderWay(run, client);
      if (!(await isTakenUp(handle))) {
        const none = `No worker answers for the run "${run}": ${startWorkerAdvice()}.`;
        throw new Failure('Connection', none);
      }
      const progress = await act(handle);
      const status = statusOfProgress(progress, true, '');
      return { ...showRun(status, await sharedResources(client, run)), code: EXIT.ok };
    });
}
