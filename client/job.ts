/** A durable job that is not one question: its end, where it stands, and stopping it. */
import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { Failure, type FailureType } from '../core/failure.js';
import type { Usage } from '../core/usage.js';
import type { Progress } from '../workflows/run/progress.js';
import { awaitResult, whileAway } from './server-away.js';

/** A job that was started or joined. */
export type JobHandle<Summary, Progress> = ReturnType<typeof jobHandle<Summary, Progress>>;

export function jobHandle<Summary, Progress>(handle: WorkflowHandle) {
  return {
    workflowId: handle.workflowId,
    /**
     * Waits for the end.
     *
     * @throws Failure with the reason when the job stopped; what it has is kept, and starting it
     * again goes on from there. A job that was cancelled rejects with the client's own error.
     */
    async result(): Promise<Summary> {
      try {
        return await awaitResult<Summary>(handle);
      } catch (error) {
        throw reasonOf(error) ?? error;
      }
    },
    /** Returns where it stands now; a worker answers. */
    progress: () => queryProgress<Progress>(handle),
    /** Cancels it, and what it has under way. */
    async cancel(): Promise<void> {
      await whileAway(() => handle.cancel());
    },
  };
}

/**
 * Sends an update; one id for all tries, so that it takes effect once.
 *
 * @param of What is told, as in `run "nq-sure"`.
 * @throws Failure Conflict where it has ended; what the update failed with.
 */
export async function sendUpdate<Progress>(
  handle: WorkflowHandle,
  of: string,
  name: string,
  change?: object,
): Promise<Progress> {
  const updateId = randomUUID();
  try {
    return await whileAway(() => handle.executeUpdate(name, { args: [change], updateId }));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw reasonOf(error) ?? error;
    throw new Failure('Conflict', `The ${of} is not under way.`, { cause: error });
  }
}

/** Returns what the server says of a workflow; undefined where it knows of none. */
export async function described(
  handle: WorkflowHandle,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await handle.describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Returns what a workflow, or an update of one, has failed with; undefined for another error. */
export function reasonOf(error: unknown): Failure | undefined {
  const root = rootOf(error);
  return (
    root && new Failure((root.type ?? 'Unexpected') as FailureType, root.message, { cause: error })
  );
}

/** Returns the innermost failure, which an activity's failure wraps. */
export function rootOf(error: unknown): ApplicationFailure | undefined {
  if (!(error instanceof WorkflowFailedError || error instanceof WorkflowUpdateFailedError)) {
    return undefined;
  }
  let cause: unknown = error.cause;
  while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/** A query can be lost as its workflow begins; without this it would wait for 30 s. */
const QUERY_TIMEOUT_MS = 5_000;

/** @throws when no worker answers in time; asking again may help. */
export function queryProgress<P>(handle: WorkflowHandle): Promise<P> {
  return handle.client.withDeadline(Date.now() + QUERY_TIMEOUT_MS, () =>
    handle.query<P>('progress'),
  );
}

/** Returns what a question has taken that was ended from outside; undefined without a worker. */
export async function usageUntilStopped(handle: WorkflowHandle): Promise<Usage | undefined> {
  const progress = await queryProgress<Progress>(handle).catch(() => undefined);
  return progress?.usage;
}
