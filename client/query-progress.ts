/** Asks a workflow where it stands. */
import type { WorkflowHandle } from '@temporalio/client';
import type { Usage } from '../core/usage.js';
import type { Progress } from '../workflows/run/progress.js';

/** A query can be lost as its workflow begins; without this it would wait for 30 s. */
const QUERY_TIMEOUT_MS = 5_000;

/** @throws when no worker answers in time; asking again may help. */
export function queryProgress<P>(handle: WorkflowHandle): Promise<P> {
  return handle.client.withDeadline(Date.now() + QUERY_TIMEOUT_MS, () =>
    handle.query<P>('progress'),
  );
}

/** Returns what a question has taken that was ended from outside; undefined without a worker. */
export async function usageUntilStopped(handle: WorkflowHandle): Promise<Usage | undefined> {
  const progress = await queryProgress<Progress>(handle).catch(() => undefined);
  return progress?.usage;
}
