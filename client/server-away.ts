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
 * Returns the result of `work`, which is called again every half second while the Temporal server
 * is unreachable. So it may run twice, if only the server's answer was lost.
 *
 * @param patienceMs Longest absence of the server, in milliseconds. @default a minute
 * @throws Failure Connection if the server could not be reached for that time; any other error of
 * `work` at once.
 */
export async function retryWhileAway<T>(
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
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

/**
 * Asks a Temporal server for its system information; resolves if it answers within four seconds,
 * else rejects.
 */
export function pingServer(server: AskedServer): Promise<unknown> {
  return server.withDeadline(Date.now() + ANSWERS_MS, () =>
    server.workflowService.getSystemInfo({}),
  );
}

/** Returns whether a call failed because no server could be reached. */
function isUnavailable(error: unknown): boolean {
  return grpcCode(error) === GRPC.unavailable;
}

/** Interval of the checks, and longest absence, in milliseconds. */
const POLL_MS = 1_000;
const GONE_MS = 10 * 60_000;

/** A handle of a workflow, and its server. */
type AwaitedHandle = Pick<WorkflowHandle, 'result'> & { client: AskedServer };

/**
 * Waits for the end of a workflow and returns its result. Keeps waiting while the server cannot be
 * reached, for up to ten minutes, since the workflow is safe then.
 *
 * @param options `goneMs` is the longest absence of the server, `againMs` the wait between two
 * attempts, both in milliseconds.
 * @throws The failure of the workflow; the connection's error if the server is away for longer.
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
      if (await succeeds(pingServer(handle.client))) goneSince = undefined;
    }
  }
}
