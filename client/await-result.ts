import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { succeeds } from '../core/failure.js';
import { type AskedServer, askServer, isUnavailable } from './server-away.js';

/** How often the server is looked for, and how long it may be away. */
const AGAIN_MS = 1_000;
const GONE_MS = 10 * 60_000;

/** A workflow and its server. */
type AwaitedHandle = Pick<WorkflowHandle, 'result'> & { client: AskedServer };

/**
 * Waits for the workflow's result. While the server cannot be reached the workflow is safe, so the
 * wait goes on for ten minutes.
 *
 * @throws what the workflow failed with, or the connection's error after that time.
 */
export async function awaitResult<T>(
  handle: AwaitedHandle,
  { goneMs = GONE_MS, againMs = AGAIN_MS } = {},
): Promise<T> {
  let goneSince: number | undefined;
  for (;;) {
    try {
      return (await handle.result()) as T;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The SDK tries for twenty seconds, so count by the clock, not by waits.
      goneSince ??= Date.now();
      if (Date.now() - goneSince > goneMs) throw error;
      await sleep(againMs);
      if (await succeeds(askServer(handle.client))) goneSince = undefined;
    }
  }
}
