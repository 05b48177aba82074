/** Calls a server that may be away for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { Failure } from '../core/failure.js';
import { GRPC, grpcCode } from './grpc-code.js';

const AGAIN_MS = 500;
/** How long it may be away: a restart, or an address that moves. */
const PATIENCE_MS = 60_000;
/** A server answers within this time. */
const ANSWERS_MS = 4_000;

/**
 * Calls the Temporal server again and again while it is away. A call whose answer was lost is
 * repeated.
 *
 * @throws Failure Connection where it could not be reached for a minute.
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
        const advice =
          'What is under way goes on once it is there again; then do the same once more.';
        throw new Failure('Connection', `${away}. ${advice}`, { cause: error });
      }
      await sleep(AGAIN_MS);
    }
  }
}

export type AskedServer = Pick<Connection, 'withDeadline' | 'workflowService'>;

/** Resolves if the server answers within some seconds, else rejects. */
export function askServer(server: AskedServer): Promise<unknown> {
  return server.withDeadline(Date.now() + ANSWERS_MS, () =>
    server.workflowService.getSystemInfo({}),
  );
}

/** Tells whether a call has failed because no server could be reached. */
export function isUnavailable(error: unknown): boolean {
  return grpcCode(error) === GRPC.unavailable;
}
