/** Waiting for a workflow's end over a server that comes and goes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { isUnavailable } from './server-away.js';

/** How often the server is looked for, and how long it may be gone: a restart, not an end. */
const AGAIN_MS = 1_000;
const GONE_MS = 10 * 60_000;

/**
 * The workflow's result. While the server cannot be reached the workflow is as safe as its
 * history, so the wait goes on for ten minutes.
 *
 * @throws what the workflow failed with, or the connection's error after that time.
 */
export async function awaitResult<T>(handle: WorkflowHandle): Promise<T> {
  let goneSince: number | undefined;
  for (;;) {
    const asked = Date.now();
    try {
      return (await handle.result()) as T;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // A wait that went on for a while shows that the server was there in between.
      if (goneSince === undefined || Date.now() - asked > 10 * AGAIN_MS) goneSince = Date.now();
      if (Date.now() - goneSince > GONE_MS) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
