/** Repeats calls while the Temporal server is unreachable. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, WorkflowHandle } from '@temporalio/client';
import { Failure, succeeds } from '../core/failure.js';
import { GRPC, grpcCode } from './grpc-code.js';

const AGAIN_MS = 500;
/** Longest absence of the server in milliseconds, such as for a restart or a changed address. */
const PATIENCE_MS = 60_000;
/** Timeout of a check in milliseconds; a working server answers sooner. */
const ANSWERS_MS = 4_000;

/**
 * Calls `work`, and repeats it while the Temporal server is unreachable, also if only the answer
 * was lost.
 *
 * @param patienceMs Longest absence, in milliseconds.
 * @throws Failure Connection if the server could not be reached for that time.
 */
export async function whileAway<T>(work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const began = Date.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (Date.now() - began >= patienceMs) {
        const away = `The Temporal server has not answered for ${Math.round(patienceMs / 1000)} s`;
        const advice = 'Running work continues when the server is back; then repeat the command.';
        throw new Failure('Connection', `${away}. ${advice}`, { cause: error });
      }
      await sleep(AGAIN_MS);
    }
  }
}

type AskedServer = Pick<Connection, 'withDeadline' | 'workflowService'>;

/** Resolves if the server answers within four seconds, else rejects. */
export function askServer(server: AskedServer): Promise<unknown> {
  return server.withDeadline(Date.now() + ANSWERS_MS, () =>
    server.workflowService.getSystemInfo({}),
  );
}

/** Tells whether a call failed because no server could be reached. */
function isUnavailable(error: unknown): boolean {
  return grpcCode(error) === GRPC.unavailable;
}

/** Interval of the checks, and longest absence, in milliseconds. */
const POLL_MS = 1_000;
const GONE_MS = 10 * 60_000;

/** A handle of a workflow, and its server. */
type AwaitedHandle = Pick<WorkflowHandle, 'result'> & { client: AskedServer };

/**
 * Waits for the workflow's result and returns it. Continues for ten minutes while the server cannot
 * be reached, since the workflow is safe then.
 *
 * @throws The failure of the workflow, or the connection's error after that time.
 */
export async function awaitResult<T>(
  handle: AwaitedHandle,
  { goneMs = GONE_MS, againMs = POLL_MS } = {},
): Promise<T> {
  let goneSince: number | undefined;
  for (;;) {
    try {
      return (await handle.result()) as T;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The SDK itself tries for twenty seconds, so the clock counts, not the number of waits.
      goneSince ??= Date.now();
      if (Date.now() - goneSince > goneMs) throw error;
      await sleep(againMs);
      if (await succeeds(askServer(handle.client))) goneSince = undefined;
    }
  }
}
