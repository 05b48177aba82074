/** Asks a worker for the identity of a run. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { startWorkerAdvice } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { ForkInput } from '../core/run/fork-input.js';
import type { RunInput } from '../core/run/input.js';
import type { IdentifiedRun } from '../workflows/activities/run.js';
import { jobHandle } from './job.js';

/** Time limit for reading a data set of gigabytes. */
const MOST_TIME = '10m';
/** Longest wait for a worker to start, in milliseconds. */
const TAKEN_UP_MS = 10_000;
/**
 * Number of history events of a workflow that no worker has started: its start, and its first task.
 */
const UNTOUCHED_EVENTS = 2;

/**
 * Returns the identity of a run, which a worker computes: a hash of its contents, the names of its
 * custom metrics, and its differences from the stored run of the same name. Starts a short workflow
 * for that.
 *
 * @throws Failure Connection if no worker takes it up within ten seconds; BadInput as the start of
 * the run would.
 */
export async function identifyRun(
  client: Client,
  taskQueue: string,
  input: RunInput | ForkInput,
): Promise<IdentifiedRun> {
  const handle = await client.workflow.start('identifyRun', {
    workflowId: `identify/${input.run}/${randomUUID()}`,
    taskQueue,
    args: [input],
    workflowExecutionTimeout: MOST_TIME,
    staticSummary: `identity of ${input.run}`,
  });
  const ended = new AbortController();
  const { result } = jobHandle<IdentifiedRun, unknown>(handle);
  try {
    const identified = await Promise.race([result(), untouched(handle, ended.signal)]);
    if (identified) return identified;
    await handle.terminate('no worker has taken it up');
    throw new Failure(
      'Connection',
      `No worker is running that could check whether the setup of ${input.run} has changed since it was started: ${startWorkerAdvice()}.`,
    );
  } finally {
    ended.abort();
  }
}

/** Resolves to undefined if no worker has started the workflow in time; otherwise never. */
async function untouched(handle: WorkflowHandle, signal: AbortSignal): Promise<undefined> {
  const isOver = await sleep(TAKEN_UP_MS, false, { signal, ref: false }).catch(() => true);
  if (!isOver && (await handle.describe()).historyLength <= UNTOUCHED_EVENTS) return undefined;
  return new Promise(() => {});
}
