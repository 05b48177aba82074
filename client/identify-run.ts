/** Asks the workers what a run would be asked with. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { startWorker } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { RunInput } from '../core/run/input.js';
import type { IdentifiedRun } from '../workflows/activities/run.js';
import { jobHandle } from './job.js';

/** A data set of gigabytes is read to its end. */
const MOST_TIME = '10m';
/** How long a worker may take to take it up. */
const TAKEN_UP_MS = 10_000;
/** Of a workflow that no worker has seen yet: its start, and its first task. */
const UNTOUCHED_EVENTS = 2;

/**
 * @throws Failure Connection where no worker is there; BadInput as the start of the run would.
 */
export async function identifyRun(
  client: Client,
  taskQueue: string,
  input: RunInput,
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
    throw nobodyThere(input.run);
  } finally {
    ended.abort();
  }
}

/** Resolves when no worker has taken it up in time. */
async function untouched(handle: WorkflowHandle, signal: AbortSignal): Promise<undefined> {
  const isOver = await sleep(TAKEN_UP_MS, false, { signal, ref: false }).catch(() => true);
  if (!isOver && (await handle.describe()).historyLength <= UNTOUCHED_EVENTS) return undefined;
  return new Promise(() => {});
}

function nobodyThere(run: string): Failure {
  return new Failure(
    'Connection',
    `No worker is there to say whether ${run} is still asked with what it was begun with: ${startWorker()}.`,
  );
}
