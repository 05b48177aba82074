/** Starts and follows durable workflows: handles of jobs, updates, progress, and why one failed. */
import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  type Client,
  isGrpcServiceError,
  ServiceError,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { Failure, type FailureType } from '../core/failure.js';
import type { Usage } from '../core/usage.js';
import type { Progress } from '../workflows/question/progress.js';
import type { KeywordPair } from '../workflows/search-attributes.js';
import { GRPC } from './grpc-code.js';
import { awaitResult, retryWhileAway } from './server-away.js';

/**
 * Handle of a job that was started or joined: waits for its result, queries its progress, cancels
 * it.
 *
 * @typeParam Summary The job's result.
 * @typeParam Progress The job's progress.
 */
export type JobHandle<Summary, Progress> = ReturnType<typeof jobHandle<Summary, Progress>>;

/**
 * Returns a handle of a job, made from the handle of its workflow: an object with its `workflowId`
 * and functions that wait for its result, query its progress and cancel it.
 */
export function jobHandle<Summary, Progress>(handle: WorkflowHandle) {
  return {
    workflowId: handle.workflowId,
    /**
     * Waits for the end of the job and returns its result.
     *
     * @throws Failure with the reason if the job failed. What it has done is stored, and starting
     * it again continues from there. A cancelled job rejects with the Temporal client's own error.
     */
    async result(): Promise<Summary> {
      try {
        return await awaitResult<Summary>(handle);
      } catch (error) {
        throw reasonOf(error) ?? error;
      }
    },
    /** Returns the current progress, which a worker computes. */
    progress: () => queryProgress<Progress>(handle),
    /** Cancels the job and all its running work. */
    async cancel(): Promise<void> {
      await retryWhileAway(() => handle.cancel());
    },
  };
}

/**
 * Sends an update to a job's workflow, and returns the job's progress after it. Repeats the update
 * while the server is away; all attempts have one id, so that it takes effect once.
 *
 * @param of Kind and name of the job for messages, such as `run "nq-sure"`.
 * @param name Name of the update.
 * @throws Failure Conflict if the job has ended; Connection if the server is away for a minute; the
 * failure of the update.
 */
export async function sendUpdate<Progress>(
  handle: WorkflowHandle,
  of: string,
  name: string,
  change?: object,
): Promise<Progress> {
  const updateId = randomUUID();
  try {
    return await retryWhileAway(() => handle.executeUpdate(name, { args: [change], updateId }));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw reasonOf(error) ?? error;
    throw new Failure('Conflict', `The ${of} is not under way.`, { cause: error });
  }
}

/**
 * Returns the server's description of a workflow; undefined if the server does not know the
 * workflow.
 */
export async function descriptionOf(
  handle: WorkflowHandle,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await handle.describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Returns the input that a workflow was started with, from its history. */
export async function inputOf(
  { workflowService, options: { namespace, loadedDataConverter } }: Client,
  workflowId: string,
): Promise<unknown> {
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const [started] = history?.events ?? [];
  const { payloads } = started?.workflowExecutionStartedEventAttributes?.input ?? {};
  return decodeFromPayloadsAtIndex(loadedDataConverter, 0, payloads, {
    type: 'workflow',
    namespace,
    workflowId,
  });
}

/**
 * Returns the error of a workflow or update as a Failure; undefined if it contains no application
 * failure.
 */
function reasonOf(error: unknown): Failure | undefined {
  const root = applicationFailureOf(error);
  return (
    root && new Failure((root.type ?? 'Unexpected') as FailureType, root.message, { cause: error })
  );
}

/**
 * Returns the outermost `ApplicationFailure` among the causes of a failed workflow or update;
 * undefined if there is none, or if the error is of another kind.
 */
export function applicationFailureOf(error: unknown): ApplicationFailure | undefined {
  if (!(error instanceof WorkflowFailedError || error instanceof WorkflowUpdateFailedError)) {
    return undefined;
  }
  let cause: unknown = error.cause;
  while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/**
 * Timeout of a query in milliseconds. A query that is lost while its workflow starts would
 * otherwise wait for 30 s.
 */
const QUERY_TIMEOUT_MS = 5_000;

/**
 * Returns the progress of a workflow, which a worker computes.
 *
 * @throws If no worker answers within 5 s; a later attempt may succeed.
 */
export function queryProgress<P>(handle: WorkflowHandle): Promise<P> {
  return handle.client.withDeadline(Date.now() + QUERY_TIMEOUT_MS, () =>
    handle.query<P>('progress'),
  );
}

/**
 * Returns the usage until now (calls, tokens and US dollars) of a question that was cancelled or
 * terminated, computed from its history by a worker; undefined if no worker answers.
 */
export async function usageUntilStopped(handle: WorkflowHandle): Promise<Usage | undefined> {
  const progress = await queryProgress<Progress>(handle).catch(() => undefined);
  return progress?.usage;
}

/**
 * Returns a function that calls `start` with search attributes and returns its result. Once the
 * server has refused attributes, `start` gets an empty list, in this call and all later ones.
 */
export function givingAttributes() {
  let areKnown = true;
  return async <T>(
    attributes: KeywordPair[],
    start: (attributes: KeywordPair[]) => Promise<T>,
  ): Promise<T> => {
    if (!areKnown) return start([]);
    try {
      return await start(attributes);
    } catch (error) {
      if (!refusesAttributes(error)) throw error;
      areKnown = false;
      return start([]);
    }
  };
}

/** Tells by its message whether the server lacks these search attributes. */
function refusesAttributes(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause) || cause.code !== GRPC.invalidArgument) return false;
  return /search attribute/i.test(cause.details);
}
