/** `eval`, `attach` and `retry`: a run is started or joined, and followed until its end. */

import type { BatchProgress } from '../../../methods/batch/batch.js';
import type { Batch } from '../../../methods/batch/input.js';
import { COMMON_FAILURES, Failure, type FailureType } from '../../../methods/failure.js';
import type { BatchHandle } from '../../batch.js';
import type { CliContext } from '../context.js';
import { Interrupted, untilInterrupted } from '../interrupt.js';
import { print } from '../print.js';
import { historyUrl, isTakenUp, ownSession, runningSession, type Session } from '../session.js';
import { type EvalRun, nameByContents } from './eval-input.js';
import { followBatch } from './follow-batch.js';
import { renderProgress } from './render-progress.js';

export interface RunFlags {
  /** Ask the failed questions of a run that has ended once more. */
  again?: boolean;
  /** Start and leave. */
  detach?: boolean | undefined;
}

/**
 * Starts batches one after the other, or joins those that are under way, where Temporal and a
 * worker are running, or on a stack of its own. Ctrl-C leaves: a run on other workers goes on.
 *
 * @returns the process's exit code: 0 when every run has ended and no question failed, 130 when
 *   it was left.
 */
export async function runBatches(
  runs: readonly EvalRun[],
  { again = false, detach }: RunFlags,
  context: CliContext,
): Promise<number> {
  let failed = 0;
  for (const { batch, isNamed } of runs) {
    const start = async ({ client }: Session) =>
      client.startBatch(isNamed ? batch : nameByContents(batch, await client.contentsOf(batch)), {
        again,
      });
    failed += await withRun(
      start,
      context,
      (handle, session) => (detach ? 0 : failedIn(handle, session, context)),
      [batch.dataset],
    );
  }
  return failed === 0 ? 0 : 1;
}

/** Follows a run that somebody has started. */
export async function attach(run: string, context: CliContext): Promise<number> {
  const find = ({ client }: Session) => client.getBatch(run);
  const failed = await withRun(find, context, (handle, session) =>
    failedIn(handle, session, context),
  );
  return failed === 0 ? 0 : 1;
}

/** Finds the run where a worker answers for it; where none does, one is started here. */
async function withRun<T>(
  find: (session: Session) => Promise<BatchHandle>,
  context: CliContext,
  work: (handle: BatchHandle, session: Session) => T | Promise<T>,
  files: readonly string[] = [],
): Promise<T> {
  let session = (await runningSession(context)) ?? (await ownSession(context, files));
  try {
    let handle = await found(find, session);
    if (!handle || (!session.stack && !(await isTakenUpOrOver(handle)))) {
      context.reporter.warn('No worker takes the run up, so one is started here.');
      await session.close();
      session = await ownSession(context, files);
      handle = await find(session);
    }
    announce(handle, session, context);
    return await work(handle, session);
  } finally {
    await session.close();
  }
}

/** Undefined where no worker says whether the run is the same. */
async function found(
  find: (session: Session) => Promise<BatchHandle>,
  session: Session,
): Promise<BatchHandle | undefined> {
  try {
    return await find(session);
  } catch (error) {
    const isUnanswered = error instanceof Failure && error.type === 'Connection';
    if (isUnanswered && !session.stack) return undefined;
    throw error;
  }
}

/** The result of a run that has ended needs no worker. */
function isTakenUpOrOver(handle: BatchHandle): Promise<boolean> {
  const over = () => true;
  return Promise.race([isTakenUp(handle), handle.result().then(over, over)]);
}

async function failedIn(
  handle: BatchHandle,
  session: Session,
  context: CliContext,
): Promise<number> {
  return (await finishBatch(handle, session, context)).outcomes.failed;
}

function announce(
  { run, workflowId }: BatchHandle,
  session: Session,
  { reporter }: CliContext,
): void {
  const url = historyUrl(session, workflowId);
  reporter.part('Run', url === undefined ? run : `${run}  ${url}`);
}

/** Follows to the end and prints where it ended on standard output. */
async function finishBatch(
  handle: BatchHandle,
  session: Session,
  context: CliContext,
): Promise<BatchProgress> {
  const progress = await awaitEnd(handle, followBatch(handle), session, context);
  print(renderProgress(progress, undefined).join('\n'));
  return progress;
}

/**
 * Starts a run or goes on with it, whether it failed, rests or has questions that failed, and waits
 * for its end. Nothing is written to standard output.
 *
 * @throws Failure with the reason where what every question would meet has paused the run.
 */
export function completeBatch(batch: Batch, context: CliContext): Promise<BatchProgress> {
  const start = ({ client }: Session) => client.startBatch(batch, { again: true });
  const work = async (handle: BatchHandle, session: Session) => {
    if ((await handle.progress().catch(() => undefined))?.pause) await handle.resume();
    const following = followBatch(handle, ({ pause }) => {
      if (pause && isFailure(pause.reason)) throw new Failure(pause.reason, pause.message);
    });
    return awaitEnd(handle, following, session, context);
  };
  return withRun(start, context, work, [batch.dataset]);
}

function isFailure(reason: string): reason is FailureType {
  return COMMON_FAILURES.has(reason);
}

async function awaitEnd(
  { run }: BatchHandle,
  following: Promise<BatchProgress>,
  { stack }: Session,
  { signal, reporter }: CliContext,
): Promise<BatchProgress> {
  following.catch(() => {});
  try {
    const ended = stack ? Promise.race([following, stack.lost]) : following;
    return await untilInterrupted(ended, signal);
  } catch (error) {
    if (error instanceof Interrupted) {
      const how = stack
        ? `it rests until "durable-rag attach ${run}" starts a worker again`
        : `it goes on; "durable-rag attach ${run}" shows it again`;
      reporter.part('Left', `${run}: ${how}.`);
    }
    throw error;
  }
}
