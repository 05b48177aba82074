/** Asks the workers for the identity of a run. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { startWorker } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { ForkInput } from '../core/run/fork-input.js';
import type { RunInput } from '../core/run/input.js';
import type { IdentifiedRun } from '../workflows/activities/run.js';
import { jobHandle } from './job.js';

/** How long a data set of gigabytes may take to read. */
const MOST_TIME = '10m';
/** How long until a worker takes it up. */
const TAKEN_UP_MS = 10_000;
/** The events of a workflow that no worker has seen: its start, and its first task. */
const UNTOUCHED_EVENTS = 2;

/** @throws Failure Connection where no worker is there; BadInput as the start of the run would. */
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
    staticSummary: `what ${input.run} would be asked with`,
  });
  const ended = new AbortController();
  const { result } = jobHandle<IdentifiedRun, unknown>(handle);
  try {
    const told = await Promise.race([result(), untouched(handle, ended.signal)]);
    if (told) return told;
    await handle.terminate('no worker has taken it up');
    throw new Failure(
      'Connection',
      `No worker is there to say whether ${input.run} is still asked with what it was begun with: ${startWorker()}.`,
    );
  } finally {
    ended.abort();
  }
}

/** Resolves if no worker has taken it up in time. */
async function untouched(handle: WorkflowHandle, signal: AbortSignal): Promise<undefined> {
  const isOver = await sleep(TAKEN_UP_MS, false, { signal, ref: false }).catch(() => true);
  if (!isOver && (await handle.describe()).historyLength <= UNTOUCHED_EVENTS) return undefined;
  return new Promise(() => {});
}
