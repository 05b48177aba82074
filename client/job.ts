/** A durable job that is not one question: starting it, joining it, stopping it. */
import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  type Client,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure, type FailureType } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import { summaryLine } from '../workflows/summary-line.js';
import { awaitResult } from './await-result.js';
import { queryProgress } from './query-progress.js';
import { whileAway } from './server-away.js';

export interface JobHandle<Summary, Progress> {
  readonly workflowId: string;
  /**
   * Waits for the end.
   *
   * @throws Failure with the reason when the job stopped; what it has is kept, and starting it
   * again goes on from there. A job that was cancelled rejects with the client's own error.
   */
  result(): Promise<Summary>;
  /** Returns where it stands now; a worker answers. */
  progress(): Promise<Progress>;
  /** Cancels it, and what it has under way. */
  cancel(): Promise<void>;
}

export interface JobStart {
  workflow: string;
  /** The beginning of its default id. */
  idPrefix: string;
  /** Made of everything in the input when left out. */
  workflowId?: string | undefined;
  taskQueue: string;
  input: unknown;
  /** The line people read in lists of workflows. */
  summary: string;
}

/** Starts a job, or joins it while it is under way. An ended one starts again. */
export async function startJob<Summary, Progress>(
  client: Client,
  { workflow, idPrefix, taskQueue, input, summary, workflowId }: JobStart,
): Promise<JobHandle<Summary, Progress>> {
  const id = workflowId ?? defaultId(idPrefix, input, taskQueue);
  await client.workflow.start(workflow, {
    workflowId: id,
    taskQueue,
    args: [input],
    staticSummary: summaryLine(summary),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
  return jobHandle(client.workflow.getHandle(id));
}

export function jobHandle<Summary, Progress>(handle: WorkflowHandle): JobHandle<Summary, Progress> {
  return {
    workflowId: handle.workflowId,
    async result() {
      try {
        return await awaitResult<Summary>(handle);
      } catch (error) {
        throw reasonOf(error) ?? error;
      }
    },
    progress: () => queryProgress(handle),
    async cancel() {
      await whileAway(() => handle.cancel());
    },
  };
}

/** Sends an update; one id for all tries, so that it takes effect once. */
export function sendUpdate<Progress>(
  handle: WorkflowHandle,
  name: string,
  change?: object,
): Promise<Progress> {
  const updateId = randomUUID();
  return whileAway(() => handle.executeUpdate(name, { args: [change], updateId }));
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

function defaultId(prefix: string, input: unknown, taskQueue: string): string {
  return `${prefix}-${sha256Of(canonicalJson({ input, taskQueue }), 16)}`;
}
